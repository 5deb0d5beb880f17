import { needle, type Needle } from './scan.ts'

/** Keys that providers give out with a prefix of their own: certain by their look alone. */
export interface ProviderKey {
  name: string
  /** The text is scanned only if an unbroken run of 20 characters or more holds one of these, as they stand. */
  needles: readonly Needle[]
  pattern: RegExp
}

const key = (name: string, needles: readonly string[], pattern: RegExp): ProviderKey => ({
  name,
  needles: needles.map(needle),
  pattern,
})

/** `(?<![A-Za-z0-9])` in front: a prefix in the middle of a word is no key. */
export const providerKeys: readonly ProviderKey[] = [
  key(
    'aws-key',
    ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    /(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/g,
  ),
  key('github-token', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], /(?<![A-Za-z0-9])gh[pousr]_[A-Za-z0-9]{30,255}/g),
  key('github-token', ['github_pat_'], /github_pat_[A-Za-z0-9_]{22,255}/g),
  key(
    'gitlab-token',
    ['glpat-', 'gldt-', 'glrt-', 'glcbt-', 'glptt-'],
    /(?<![A-Za-z0-9])gl(?:pat|dt|rt|cbt|ptt)-[A-Za-z0-9_.-]{20,}/g,
  ),
  key('slack-token', ['xox', 'xapp-'], /(?<![A-Za-z0-9])(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{10,}/g),
  key('slack-webhook', ['hooks.slack.com'], /(?<=hooks\.slack\.com\/(?:services|workflows)\/)[A-Za-z0-9/_-]{20,}/g),
  key('discord-webhook', ['/api/webhooks/'], /(?<=\/api\/webhooks\/\d{5,25}\/)[A-Za-z0-9_-]{20,}/g),
  key(
    'stripe-key',
    ['k_live_', 'k_test_', 'whsec_'],
    /(?<![A-Za-z0-9])(?:[srp]k_(?:live|test)_|whsec_)[A-Za-z0-9]{16,}/g,
  ),
  key('anthropic-key', ['sk-ant-'], /sk-ant-[A-Za-z0-9_-]{20,}/g),
  key('openai-key', ['sk-'], /(?<![A-Za-z0-9_-])sk-(?=[A-Za-z0-9_-]{0,60}\d)[A-Za-z0-9_-]{20,}/g),
  key('google-key', ['AIza'], /(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{35}/g),
  key('google-token', ['ya29.', 'GOCSPX-'], /(?<![A-Za-z0-9])(?:ya29\.|GOCSPX-)[A-Za-z0-9_-]{20,}/g),
  key('npm-token', ['npm_'], /(?<![A-Za-z0-9])npm_[A-Za-z0-9]{36}/g),
  key('pypi-token', ['pypi-'], /(?<![A-Za-z0-9])pypi-[A-Za-z0-9_-]{50,}/g),
  key('huggingface-token', ['hf_'], /(?<![A-Za-z0-9])hf_[A-Za-z0-9]{30,}/g),
  key('sendgrid-key', ['SG.'], /(?<![A-Za-z0-9])SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}/g),
  key('twilio-key', ['SK'], /(?<![A-Za-z0-9])SK[0-9a-f]{32}(?![A-Za-z0-9])/g),
  key('telegram-token', [':AA'], /(?<![A-Za-z0-9])\d{8,10}:AA[A-Za-z0-9_-]{32,34}/g),
  key('digitalocean-token', ['do_v1_', 'dop_v1_', 'dor_v1_', 'doo_v1_'], /(?<![A-Za-z0-9])do[opr]?_v1_[a-f0-9]{40,}/g),
  key('shopify-token', ['shp'], /(?<![A-Za-z0-9])shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}/g),
  key('databricks-token', ['dapi'], /(?<![A-Za-z0-9])dapi[a-f0-9]{32}/g),
  key('linear-key', ['lin_api_', 'lin_oauth_'], /lin_(?:api|oauth)_[A-Za-z0-9]{30,}/g),
  key('notion-token', ['ntn_', 'secret_'], /(?<![A-Za-z0-9])(?:ntn_|secret_)[A-Za-z0-9]{40,}/g),
  key('vault-token', ['hvs.', 'hvb.'], /(?<![A-Za-z0-9])hv[sb]\.[A-Za-z0-9_-]{20,}/g),
  key('groq-key', ['gsk_'], /(?<![A-Za-z0-9])gsk_[A-Za-z0-9]{40,}/g),
  key('xai-key', ['xai-'], /(?<![A-Za-z0-9])xai-[A-Za-z0-9]{40,}/g),
  key('replicate-token', ['r8_'], /(?<![A-Za-z0-9])r8_[A-Za-z0-9]{36,}/g),
  key('perplexity-key', ['pplx-'], /(?<![A-Za-z0-9])pplx-[A-Za-z0-9]{40,}/g),
  key('supabase-token', ['sbp_'], /(?<![A-Za-z0-9])sbp_[a-f0-9]{40}/g),
  key('doppler-token', ['dp.'], /(?<![A-Za-z0-9])dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9_.-]{30,}/g),
  key('fly-token', ['fm1_', 'fm2_'], /(?<![A-Za-z0-9])fm[12]_[A-Za-z0-9+/=_-]{60,}/g),
  key('age-key', ['AGE-SECRET-KEY-'], /AGE-SECRET-KEY-1[A-Z0-9]{50,}/g),
  key('tencent-key', ['AKID'], /(?<![A-Za-z0-9])AKID[A-Za-z0-9]{32}(?![A-Za-z0-9])/g),
  key('alibaba-key', ['LTAI'], /(?<![A-Za-z0-9])LTAI[A-Za-z0-9]{12,24}(?![A-Za-z0-9])/g),
  key('volcengine-key', ['AKLT'], /(?<![A-Za-z0-9])AKLT[A-Za-z0-9_-]{20,}/g),
  key('yandex-token', ['AQVN', 'y0_'], /(?<![A-Za-z0-9])(?:AQVN[A-Za-z0-9_-]{30,}|y0_[A-Za-z0-9_-]{50,})/g),
  key(
    'azure-key',
    ['AccountKey=', 'SharedAccessKey='],
    /(?<=(?:AccountKey|SharedAccessKey)=)[A-Za-z0-9+/]{40,}={0,2}/g,
  ),
  key('jwt', ['eyJ'], /(?<![A-Za-z0-9])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?/g),
]
