import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CodeWhale, edited, House, ran } from './house.ts'

/** A project's history as developers write it: plain words everywhere, few of them telling. */
const history: [string, string, ...object[]][] = [
  [
    'Add unit tests for the config loader and run the linter.',
    'Added unit tests for the config loader; the linter passes and all tests are green.',
    ...edited('e', 'src/config/loader.ts', 'a', 'b'),
  ],
  [
    'Refactor the request handler so that errors are logged.',
    'The request handler now logs errors with the request id, because support could not trace failures.',
    ...edited('e', 'src/http/handler.ts', 'a', 'b'),
  ],
  [
    'Why is the build slow?',
    'The build is slow because tsc checks node_modules; skipLibCheck cuts it from 40 to 12 seconds.',
  ],
  [
    'Set up staging deployment.',
    'Staging deploys from the release branch with `make deploy-staging`; the secrets come from Vault.',
    ...ran('r', 'make deploy-staging', 'ok'),
  ],
  [
    'The login page breaks on Safari.',
    'Safari blocks the session cookie; SameSite=None and Secure fix the login page.',
    ...edited('e', 'src/auth/cookie.ts', 'a', 'b'),
  ],
  [
    'Update the README with install steps.',
    'README now has install steps for macOS and Linux.',
    ...edited('e', 'README.md', 'a', 'b'),
  ],
  [
    'Which database do we use for the job queue?',
    'Decided: the job queue stays on Postgres with SKIP LOCKED, because Redis lost jobs at failover.',
  ],
  [
    'Fix the flaky checkout test.',
    'The checkout test was flaky since it depended on wall-clock time; it uses a fake clock now.',
    ...edited('e', 'test/checkout.test.ts', 'a', 'b'),
  ],
  [
    'Rename UserRepo to AccountStore.',
    'UserRepo is AccountStore everywhere now, the old name is exported as deprecated alias until 3.0.',
    ...edited('e', 'src/store/account-store.ts', 'UserRepo', 'AccountStore'),
  ],
  [
    'Make invoices round half-even.',
    'Invoices round half-even via `roundBanker` in src/billing/money.ts, as the auditors require.',
    ...edited('e', 'src/billing/money.ts', 'a', 'b'),
  ],
  [
    'Upgrade eslint to version 9.',
    'eslint 9 needs a flat config; eslint.config.mjs replaced .eslintrc.json.',
    ...edited('e', 'eslint.config.mjs', 'a', 'b'),
  ],
  [
    'ENOSPC from the file watcher in CI',
    'CI had no inotify watches left; chokidar polls there with CHOKIDAR_USEPOLLING=1.',
    ...ran('r', 'npm run dev', 'Error: ENOSPC: System limit for number of file watchers reached', 1),
    ...ran('s', 'CHOKIDAR_USEPOLLING=1 npm run dev', 'ok'),
  ],
  ['为什么支付回调会重复？', '支付回调重复是因为网关超时重试；回调现在按 transaction_id 去重。'],
  [
    'Почему отчёт по складу пустой?',
    'Отчёт по складу был пустым, потому что фильтр сравнивал часовые пояса; теперь все даты в UTC.',
  ],
]

const deservesSilence = `continue
ok
thanks, looks great
yes please do that
run the tests
can you run the tests again
fix the failing test
fix it
please commit and push
commit this with a good message
open a pull request
add a unit test for this function
add more tests
refactor this function
clean up the code
rename this variable
format the code
update the readme
update the docs
add comments
explain this code
what does this function do?
how does this work?
why did that fail?
what changed?
show me the diff
list the files
read the file again
try another approach
use async await instead
make it faster
make the button blue
center the div
add a dark mode toggle to the settings page
write a haiku about spring rain in Kyoto
what is the capital of France?
write a python script that downloads images from a website
explain the difference between tcp and udp
how do I exit vim?
translate this to German: good morning
create a new react component for the user profile
implement pagination for the list view
add error handling
add logging
handle the edge cases
check the types
remove unused imports
install the dependencies
upgrade the dependencies
start the server
stop the server
restart everything
deploy it
merge main into this branch
resolve the merge conflicts
revert the last change
undo that
generate a changelog
bump the version
write the release notes
review this code
any security issues here?
is this thread safe?
simplify this
split this file into two
move this to a helper
extract a function
add a config option for the timeout
set the timeout to 30 seconds
increase the limit
use a map instead of a list
sort the results by date
add an index to the table
write a migration
seed the database with test data
mock the api in tests
add a retry
cache the response
validate the input
return a 404 if it is missing
log the request id
parse the query string
read the environment variable
add a flag to the command line
print the help
继续
好的，谢谢
运行测试
请修复这个错误
解释一下这段代码
写一个函数计算斐波那契数列
提交代码
продолжай
запусти тесты
исправь ошибку
объясни этот код
напиши функцию сортировки
сделай коммит`.split('\n')

const answered: [string, RegExp][] = [
  ['which database did we choose for the job queue?', /SKIP LOCKED/],
  ['did Redis lose jobs at failover?', /SKIP LOCKED/],
  ['where is roundBanker?', /money\.ts/],
  ['how do invoices round?', /half-even/],
  ['why do we have the UserRepo alias?', /AccountStore/],
  ['Safari session cookie problem on the login page', /SameSite/],
  ['how do we deploy to staging, where do the Vault secrets come from?', /release branch/],
  ['Error: ENOSPC: System limit for number of file watchers reached', /CHOKIDAR_USEPOLLING/],
  ['does chokidar use inotify in CI?', /CHOKIDAR_USEPOLLING/],
  ['what did we do about skipLibCheck and the slow build?', /12 seconds/],
  ['why was the checkout test flaky?', /fake clock/],
  ['where did .eslintrc.json go?', /eslint\.config\.mjs/],
  ['支付回调重复的问题怎么解决的？', /去重/],
  ['почему отчёт по складу был пустой?', /UTC/],
]

describe('a project of plain words', () => {
  const house = new House()
  const whale = new CodeWhale(house)
  let n = 0

  beforeAll(async () => {
    history.forEach((turn, i) => {
      whale.put(`${String(i).padStart(8, 'd')}-0000-4000-8000-000000000000`, [turn], {
        updated: new Date(Date.now() - (i + 1) * 86_400_000).toISOString(),
      })
    })
    await house.open()
    await new Promise(resolve => setTimeout(resolve, 20))
  })
  afterAll(() => house.end())

  /** What a session hears that has had its digest. */
  const ask = async (text: string): Promise<string> => {
    const session = `sess_${n++}`
    await whale.submit('hello', { session })
    return whale.submit(text, { session })
  }

  it.each(deservesSilence)('silence: %s', async text => {
    expect(await ask(text)).toBe('')
  })

  it.each(answered)('an answer: %s', async (text, answer) => {
    expect(await ask(text)).toMatch(answer)
  })
})
