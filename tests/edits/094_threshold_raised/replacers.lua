return { thresholds = { block_anchor = 0.99 } }
