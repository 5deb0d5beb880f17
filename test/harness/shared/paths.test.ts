import { expect, test } from 'vitest'
import { absolutePath } from '../../../src/harness/shared/paths.ts'

test.each([
  ['src/a.py', '/w', '/w/src/a.py'],
  ['./src/../a.py', '/w/', '/w/a.py'],
  ['/x/y.py', '/w', '/x/y.py'],
  ['/x//./y.py', null, '/x/y.py'],
  ['a.py', null, 'a.py'],
  ['~/a.py', '/w', '~/a.py'],
  [String.raw`src\a.py`, String.raw`C:\w`, String.raw`C:\w\src\a.py`],
  ['C:/w/a.py', '/w', 'C:/w/a.py'],
  ['.hidden/..x', '/w', '/w/.hidden/..x'],
])('absolutePath(%s, %s)', (path, workspace, absolute) => expect(absolutePath(path, workspace)).toBe(absolute))
