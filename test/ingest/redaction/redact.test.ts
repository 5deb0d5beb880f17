import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { redact } from '../../../src/ingest/redaction/redact.ts'

// assembled, so that no scanner of this repository takes them for leaked ones
const secrets = {
  aws: 'AKIA' + 'Q3EGRT5XZJ7KW2VD',
  github: 'ghp' + '_9fK2mQ7xVb4LtR8sWz3NcY6pHd1JgU5aEoXi',
  anthropic: 'sk-ant-' + 'api03-Zq7Lr2Vx9Kc4Tn8Wb3Hs6Jd1Fg5Pm0YyUeQaXo',
  openai: 'sk-' + 'proj-4hT9kLw2ZxQ8vBn5Rm7Yc3Jd6Fg1Hs0PaUeIoKjTb',
  deepseek: 'sk-' + '9f8e7d6c5b4a39281706f5e4d3c2b1a0',
  jwt: 'eyJhbGciOiJIUzI1NiJ9' + '.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
  password: 'hunter2-correct-horse',
  slack: 'xoxb' + '-123456789012-abcdefGHIJKL',
  stripe: 'sk_live_' + '4eC39HqLyjWDarjtT1zdp7dc',
  google: 'AIza' + 'SyD9tSrke72PouQMnMX-a7eZSW0jkFMBWY1',
  telegram: '1234567890:AA' + 'F0abcdefghijklmnopqrstuvwxyz12345',
  random: 'Zq7Lr2Vx9Kc4Tn8Wb3Hs6Jd1Fg5Pm0YyUeQa',
}

describe('what is a secret goes', () => {
  test.each([
    `AWS ${secrets.aws} in prose`,
    `token=${secrets.github}`,
    `export ANTHROPIC_API_KEY=${secrets.anthropic}`,
    `OPENAI_API_KEY: "${secrets.openai}"`,
    `{"apiKey": "${secrets.deepseek}"}`,
    `{\\"api_key\\": \\"${secrets.deepseek}\\"}`,
    `postgres://app:${secrets.password}@db/app`,
    `redis://:${secrets.password}@cache:6379`,
    `Authorization: Bearer ${secrets.jwt}`,
    `-H "Authorization: Basic ${secrets.random}"`,
    `curl -u app:${secrets.password} https://x.test`,
    `mysql -h db -u app -p${secrets.password} shop`,
    `sshpass -p ${secrets.password} ssh host`,
    `psql --password ${secrets.password}`,
    `deploy --api-key=${secrets.random}`,
    `DB_PASSWORD=${secrets.password}`,
    `PGPASSWORD=correcthorsebattery psql`,
    `password: ${secrets.password}`,
    `passwd => '${secrets.password}'`,
    `const secret = "${secrets.password}"`,
    `client_secret := \`${secrets.password}\``,
    `dbPass = '${secrets.password}'`,
    `пароль: ${secrets.password}`,
    `密码：${secrets.password}`,
    `口令是${secrets.password}`,
    `Cookie: session=${secrets.random}; theme=dark`,
    `x-api-key: ${secrets.random}`,
    `the value ${secrets.random} was printed`,
    `slack ${secrets.slack}`,
    `stripe ${secrets.stripe}`,
    `maps ${secrets.google}`,
    `bot ${secrets.telegram}`,
    `'password' => "$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy"`,
  ])('%s', text => {
    const result = redact(text)
    expect(result).toContain('[redacted:')
    for (const secret of [...Object.values(secrets), 'correcthorsebattery', 'N9qo8uLOickgx2ZMRZoMye'])
      if (text.includes(secret)) expect(result).not.toContain(secret)
  })

  test('a PEM block, ended or cut off', () => {
    const body = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ'
    for (const end of ['\n-----END PRIVATE KEY-----\nafter', ''])
      expect(redact(`before\n-----BEGIN PRIVATE KEY-----\n${body}\n${body}${end}`)).not.toContain(body)
    expect(redact(`a -----BEGIN RSA PRIVATE KEY-----\\n${body}\\n-----END RSA PRIVATE KEY----- b`)).toBe(
      'a [redacted:rsa-private-key] b',
    )
  })

  test('a value that was found once goes everywhere in the text', () => {
    expect(redact(`PASSWORD=${secrets.password}\nlogged in with ${secrets.password}!`)).not.toContain('hunter2')
  })

  test('no secret survives, wherever it stands among ordinary words', () => {
    const words = fc.array(
      fc.constantFrom('the', 'const x = 1', 'src/a.ts', '{', '"', "'", '\n', '：', 'deploy', '://'),
      { maxLength: 8 },
    )
    const sure = fc.constantFrom(
      secrets.aws,
      secrets.github,
      secrets.anthropic,
      secrets.openai,
      secrets.jwt,
      secrets.stripe,
    )
    fc.assert(
      fc.property(words, sure, words, (before, secret, after) => {
        expect(redact([...before, secret, ...after].join(' '))).not.toContain(secret)
      }),
    )
  })
})

describe('what is none stays', () => {
  test.each([
    'commit 75dca2c0a1b2c3d4e5f60718293a4b5c6d7e8f90',
    'id 7c41e9d2-1f6b-4c0a-b7d5-93e8a2f05c32',
    'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    '"integrity": "sha512-Zq7Lr2Vx9Kc4Tn8Wb3Hs6Jd1Fg5Pm0YyUeQaXoAbCdEfGhIjKlMnOpQrStUvWxYz0123456789+/abcdefghij=="',
    'golang.org/x/net v0.17.0 h1:pVaXccu2ozPjCXewfr1S7xza/zcXTity9cCdXQYSjIM=',
    '/home/dev/work/tidewatch/src/components/UserProfileCard2/index.test.tsx',
    'const token = await getToken(request)',
    'token: string, password: string | undefined',
    'password = process.env.DB_PASSWORD',
    'password: ${DB_PASSWORD}',
    'max_tokens: 4096, total_tokens=71840, "cumulative_tokens": 12',
    'if token == expected_token: return',
    'The token is expired and the password was wrong.',
    'secret: null',
    'type: "token"',
    'compass: "north-east-9"',
    'BrowserRouterWithAuthenticationProviderFactory2Test',
    'call_0001_0 toolu_c01 sess_3fa9c1d2',
    'http://localhost:8080/path?query=1#a:b@c',
    'git@github.com:acme/api.git and user@example.com',
    'keyboard_shortcut_for_password_field',
    "tokenizer = Tokenizer(name='bert-base-uncased')",
    'error TS2322: Type string is not assignable to type AuthToken',
    'docs/retry.md says four attempts; PYTHONPATH=. python -m pytest -q tests/test_tz.py',
    'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQC7 dev@host',
    'Authorization: Bearer <token>',
    'curl -u "$USER:$PASS" https://x.test',
  ])('%s', text => {
    expect(redact(text)).toBe(text)
  })
})

test('redacting again changes nothing', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.string(),
          fc.constantFrom(
            ...Object.values(secrets),
            'password=',
            'token: "',
            '-u a:',
            '://u:',
            '@h',
            '-----BEGIN KEY-----',
          ),
        ),
      ),
      parts => {
        const once = redact(parts.join(''))
        expect(redact(once)).toBe(once)
      },
    ),
    { numRuns: 300 },
  )
})
