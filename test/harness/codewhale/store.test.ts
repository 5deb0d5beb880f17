import { describe, expect, test } from 'vitest'
import { store } from '../../../src/harness/codewhale/store.ts'

describe('roots', () => {
  const paths = (env: Record<string, string>): string[] => store.roots(env).map(({ path }) => path)

  test.each([
    [{ HOME: '/h' }, ['/h/.codewhale/sessions', '/h/.deepseek/sessions']],
    [{ HOME: '/h/', CODEWHALE_HOME: ' /c/ ' }, ['/c/sessions']],
    [{ HOME: '/h', CODEWHALE_HOME: '~/cw' }, ['/h/cw/sessions']],
    [{ HOME: '/h', CODEWHALE_HOME: 'relative' }, []],
    [{ HOME: '/h', CODEWHALE_HOME: '' }, ['/h/.codewhale/sessions', '/h/.deepseek/sessions']],
    [{ HOME: '/h', DEJA_CODEWHALE_ROOT: '/d' }, ['/d', '/h/.deepseek/sessions']],
    [{ HOME: '/h', DEJA_CODEWHALE_ROOT: '/d', CODEWHALE_HOME: '/c' }, ['/d']],
    [{ HOME: '/h', DEJA_CODEWHALE_ROOT: 'relative' }, ['/h/.codewhale/sessions', '/h/.deepseek/sessions']],
    [{ USERPROFILE: '/u' }, ['/u/.codewhale/sessions', '/u/.deepseek/sessions']],
  ])('%j', (env: Record<string, string>, expected) => expect(paths(env)).toEqual(expected))
})

test.each([
  ['', true],
  ['checkpoints', true],
  ['.late-usage', true],
  ['7c41e9d2-1f6b-4c0a-b7d5-93e8a2f05c32/artifacts', true],
  ['.git', false],
  ['7c41e9d2-1f6b-4c0a-b7d5-93e8a2f05c32/artifacts/deeper', false],
])('descends into %j: %s', (directory, descends) => expect(store.descends(directory)).toBe(descends))
