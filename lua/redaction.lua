--- What a language model never sees: kinds of secrets, each with an expression that finds it in a line of text.
--- The group `secret` is what is hidden, else the whole match. Every match holds one of `keywords`, in whatever case; they make it fast.
--- `where`: `model` (everywhere, unless something is said), `input` (what is piped in, what version control shows, logs), `log` (logs alone).
--- `literal`: what stands for another value is none, such as `$NAME`. `follow` finds the secret in the lines after the match, line by line.
--- Each layer adds rules; none takes one away. `files = true` holds files that are read to the rules of `input` as well.
return {
  -- Keys and tokens that say what they are.
  { name = "aws-key", regex = [[(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b]], keywords = { "AKIA", "ASIA", "ABIA", "ACCA" } },
  { name = "anthropic-key", regex = [[sk-ant-[A-Za-z0-9_-]{16,}]], keywords = { "sk-ant-" } },
  { name = "openai-key", regex = [[(?:^|[^A-Za-z0-9]|\\[nrt])(?<secret>sk-(?:(?:proj|svcacct|admin|or|live|test)-[A-Za-z0-9_-]{16,}|[A-Za-z0-9]{20,}))]], keywords = { "sk-" } },
  { name = "stripe-key", regex = [[[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/=]{24,}]], keywords = { "k_live_", "k_test_", "k_prod_", "whsec_" } },
  { name = "github-token", regex = [[gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{22,255}]], keywords = { "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_" } },
  { name = "gitlab-token", regex = [[gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent|oas)-[A-Za-z0-9_-]{20,}]], keywords = { "glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glsoat-", "glimt-", "glagent-", "gloas-" } },
  { name = "google-key", regex = [[(?:^|[^A-Za-z0-9_+/-]|\\[nrt])(?<secret>AIza[A-Za-z0-9_-]{35})]], keywords = { "AIza" } },
  { name = "google-token", regex = [[(?:\b|\\[nrt])(?<secret>GOCSPX-[A-Za-z0-9_-]{28}|ya29\.[A-Za-z0-9_-]{30,})]], keywords = { "GOCSPX-", "ya29." } },
  { name = "slack-token", regex = [[xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-[0-9]-[A-Z0-9]+-[0-9]+-[a-f0-9]{32,}]], keywords = { "xoxa-", "xoxb-", "xoxe-", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xapp-" } },
  { name = "slack-webhook", regex = [[hooks\.slack\.com/(?:services|workflows|triggers)/(?<secret>[A-Za-z0-9+/]{30,})]], keywords = { "hooks.slack.com" } },
  { name = "npm-token", regex = [[npm_[A-Za-z0-9]{36}\b]], keywords = { "npm_" } },
  { name = "pypi-token", regex = [[pypi-AgE[A-Za-z0-9_-]{30,}]], keywords = { "pypi-AgE" } },
  { name = "rubygems-key", regex = [[rubygems_[a-f0-9]{48}\b]], keywords = { "rubygems_" } },
  { name = "huggingface-token", regex = [[(?:^|[^A-Za-z0-9_]|\\[nrt])(?<secret>hf_[A-Za-z0-9]{30,})\b]], keywords = { "hf_" } },
  { name = "sendgrid-key", regex = [[SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}]], keywords = { "SG." } },
  { name = "digitalocean-token", regex = [[do[oprt]_v1_[a-f0-9]{64}]], keywords = { "_v1_" } },
  { name = "docker-token", regex = [[dckr_(?:pat|oat)_[A-Za-z0-9_-]{24,}]], keywords = { "dckr_" } },
  { name = "shopify-token", regex = [[shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}]], keywords = { "shpat_", "shpca_", "shppa_", "shpss_" } },
  { name = "telegram-token", regex = [[(?:\b|\\[nrt])(?<secret>[0-9]{8,10}:AA[A-Za-z0-9_-]{33})\b]], keywords = { ":AA" } },
  { name = "grafana-token", regex = [[glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|glc_[A-Za-z0-9+/=]{32,}]], keywords = { "glsa_", "glc_" } },
  { name = "vault-token", regex = [[(?:\b|\\[nrt])(?<secret>hv[sbr]\.[A-Za-z0-9_-]{24,})]], keywords = { "hvs.", "hvb.", "hvr." } },
  { name = "terraform-token", regex = [[[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{50,}]], keywords = { ".atlasv1." } },
  { name = "groq-key", regex = [[(?:\b|\\[nrt])(?<secret>gsk_[A-Za-z0-9]{40,})]], keywords = { "gsk_" } },
  { name = "xai-key", regex = [[(?:\b|\\[nrt])(?<secret>xai-[A-Za-z0-9]{60,})]], keywords = { "xai-" } },
  { name = "replicate-token", regex = [[(?:\b|\\[nrt])(?<secret>r8_[A-Za-z0-9]{37,})]], keywords = { "r8_" } },
  { name = "linear-key", regex = [[lin_api_[A-Za-z0-9]{40}]], keywords = { "lin_api_" } },
  { name = "postman-key", regex = [[PMAK-[a-f0-9]{24}-[a-f0-9]{34}]], keywords = { "PMAK-" } },
  { name = "new-relic-key", regex = [[NRAK-[A-Z0-9]{27}]], keywords = { "NRAK-" } },
  { name = "square-token", regex = [[sq0(?:atp|csp)-[A-Za-z0-9_-]{22,}]], keywords = { "sq0atp-", "sq0csp-" } },
  { name = "azure-key", regex = [[(?:AccountKey|SharedAccessKey)=(?<secret>[A-Za-z0-9+/]{40,}={0,2})]], keywords = { "AccountKey=", "SharedAccessKey=" } },
  { name = "azure-signature", regex = [[[?&]sig=(?<secret>[A-Za-z0-9%]{43,63}(?:%3[Dd]|=))]], keywords = { "sig=" } },
  { name = "age-key", regex = [[AGE-SECRET-KEY-1[A-Z0-9]{58}]], keywords = { "AGE-SECRET-KEY-1" } },
  -- A JSON Web Token: its header begins as the base64 of `{"alg`, `{"typ`, `{"kid` or `{"enc` does, its claims as that of `{"` does.
  { name = "jwt", regex = [[ey(?:JhbGci|J0eXAi|JraWQi|JlbmMi|JjdHki|AiYWxn|AidHlw|AgImFs|AgInR5)[A-Za-z0-9_-]{6,}\.ey[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}]], keywords = { "eyJhbGci", "eyJ0eXAi", "eyJraWQi", "eyJlbmMi", "eyJjdHki", "eyAiYWxn", "eyAidHlw", "eyAgImFs", "eyAgInR5" } },

  -- A private key over several lines, and in one line with its line ends written as `\n`.
  {
    name = "private-key",
    regex = [[-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----]],
    keywords = { "PRIVATE KEY" },
    follow = [[^\s{0,40}[^\s]{0,200}?[\s>+|:"'-]{0,40}(?:[A-Za-z0-9-]+: [^:]*|(?<secret>[A-Za-z0-9+/]{16,}={0,2}|=[A-Za-z0-9+/]{4}))(?:\\[rn])*(?:\^M)?["',;+\\\s$]{0,8}$|^[\s>+|-]*$]],
  },
  { name = "private-key", regex = [[-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?<secret>(?:\\+[rn]|[A-Za-z0-9+/= ]){32,})]], keywords = { "PRIVATE KEY" } },

  -- A password in an address.
  { name = "url-password", regex = [=[[A-Za-z][A-Za-z0-9+.-]{1,30}://[^\s/:@"'`<>\\]{0,128}:(?<secret>[^\s/@"'`<>\\]{1,256})@[^\s/@"'`<>\\]]=], keywords = { "://" }, literal = true },

  -- What people pipe in, and what version control shows: literal passwords, addresses of private networks.
  {
    name = "password",
    regex = [=[(?i)(?:passw(?:or)?d|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credentials?)[A-Za-z0-9_.-]{0,30}["']?\]?[ \t]{0,10}(?:=>|:=|[:=])[ \t]{0,10}["'](?<secret>[^"'\s]{4,256})["']]=],
    keywords = { "passw", "passphrase", "secret", "token", "key", "credential" }, where = "input", literal = true,
  },
  {
    name = "password",
    regex = [[(?i)^[+ -]?[ \t]*(?:export[ \t]+|set[ \t]+)?[A-Z0-9_.-]{0,40}(?:passw(?:or)?d|passphrase|secret|token|api_?key|access_?key|private_?key|credentials?)[A-Z0-9_]{0,20}[ \t]?[:=][ \t]?(?<secret>[^\s"'(){}\[\],;:=][^\s"'(){}\[\],;]{3,256})[ \t]*$]],
    keywords = { "passw", "passphrase", "secret", "token", "key", "credential" }, where = "input", literal = true,
  },
  { name = "private-address", regex = [[\b(?:10(?:\.[0-9]{1,3}){3}|192\.168(?:\.[0-9]{1,3}){2}|172\.(?:1[6-9]|2[0-9]|3[01])(?:\.[0-9]{1,3}){2})\b]], keywords = { "10.", "192.168.", "172." }, where = "input" },

  -- Logs alone: whatever a name says is secret.
  {
    name = "value",
    regex = [=[(?i)[A-Za-z0-9_.-]*(?:key|token|secret|passw(?:or)?d|pwd|passphrase|credentials?|authorization|cookie|session)[A-Za-z0-9_.-]*["']?[ \t]{0,4}(?:=>|:=|[:=])[ \t]{0,4}(?:(?:bearer|basic|token)[ \t]+)?["']?(?<secret>[^\s"',;&(){}\[\]]{6,})]=],
    keywords = { "key", "token", "secret", "passw", "pwd", "passphrase", "credential", "authorization", "cookie", "session" }, where = "log", literal = true,
  },
  { name = "value", regex = [[(?i)(?:^|[\s"'])--?[a-z0-9-]*(?:key|token|secret|passw(?:or)?d|pwd|passphrase|credentials?|cookie)[ \t]+["']?(?<secret>[^\s"'-][^\s"']{5,})]], keywords = { "key", "token", "secret", "passw", "pwd", "passphrase", "credential", "cookie" }, where = "log", literal = true },
  { name = "value", regex = [[(?:^|[\s"'])(?:-u|--user|--proxy-user)[ =]?["']?[^\s:"']{1,64}:(?<secret>[^\s"']{4,})]], keywords = { "-u", "user" }, where = "log", literal = true },
  { name = "bearer", regex = [[(?i)\b(?:bearer|basic)[ \t]+(?<secret>[A-Za-z0-9._~+/=-]{12,})]], keywords = { "bearer", "basic" }, where = "log" },
}
