++ one
-- two
