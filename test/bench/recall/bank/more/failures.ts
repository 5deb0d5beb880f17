import { failure, type Failure } from '../failure.ts'

/** More of what `dev` begins with. */
export const failures: readonly Failure[] = [
  failure(
    ['the rounding error', '舍入误差', 'ошибку округления'],
    {
      command: 'dotnet test src/{C}.Tests',
      error:
        '  Failed {C}.Tests.TotalsTests.AddsUp [{n} ms]\n  Expected total to be 0.30M, but found 0.{m}M in {C}Totals.\n   at {C}.Tests.TotalsTests.AddsUp() in /src/{C}/TotalsTests.cs:line {n}',
      edit: { path: 'src/{C}/Totals.cs', removed: 'double sum', added: 'Money sum = Money.Banker()' },
    },
    'Money.Banker',
    [
      'Binary fractions lose cents; with `Money.Banker` the totals add up.',
      '二进制小数会丢分;换成 `Money.Banker` 之后合计正确。',
      'Двоичные дроби теряют копейки; с `Money.Banker` суммы сходятся.',
    ],
    [
      'cents got lost when amounts were added up, how did we fix it?',
      '金额相加时丢了几分钱,当时怎么修的?',
      'при сложении сумм терялись копейки, как исправили?',
    ],
  ),
  failure(
    ['the missing native library', '缺少本地库', 'отсутствующую нативную библиотеку'],
    {
      command: 'bundle exec rspec spec/{c}',
      error:
        'LoadError:\n  cannot open shared object file: No such file or directory - libvips.so.{n}\n# ./lib/{c}/resize.rb:{m}:in `require`',
      passes: 'VIPS_PATH=/opt/vips/lib bundle exec rspec spec/{c}',
    },
    'VIPS_PATH=/opt/vips/lib',
    [
      'The image library was not on the loader path; it runs with `VIPS_PATH=/opt/vips/lib`.',
      '图像库不在加载路径里;加上 `VIPS_PATH=/opt/vips/lib` 就能运行。',
      'Библиотека изображений не находилась; работает с `VIPS_PATH=/opt/vips/lib`.',
    ],
    [
      'ruby could not load the image library, what made it work?',
      'ruby 加载不了图像库,后来怎么解决的?',
      'ruby не загружал библиотеку изображений, что помогло?',
    ],
  ),
  failure(
    ['the full disk in CI', 'CI 磁盘满', 'заполненный диск в CI'],
    {
      command: 'bazel build //{c}:all',
      error:
        'ERROR: /build/{c}/BUILD:{n}:{m}: Linking {c}/{c}_server failed: (Exit 1)\nld: final link failed: No space left on device',
      passes: 'bazel build --disk_cache= --sandbox_base=/mnt/scratch //{c}:all',
    },
    '--sandbox_base=/mnt/scratch',
    [
      'The sandbox filled the root volume; with `--sandbox_base=/mnt/scratch` it links.',
      '沙箱把根分区占满了;用 `--sandbox_base=/mnt/scratch` 就能链接。',
      'Песочница забивала корневой раздел; с `--sandbox_base=/mnt/scratch` линкуется.',
    ],
    [
      'the build machine ran out of disk space, what option did we add?',
      '构建机器磁盘空间不足,加了什么参数?',
      'на сборочной машине кончилось место на диске, какой флаг добавили?',
    ],
  ),
  failure(
    ['the race in the consumer', '消费者竞态', 'гонку в консьюмере'],
    {
      command: 'go test -race ./consumer/{c}',
      error:
        'WARNING: DATA RACE\nWrite at 0x{m} by goroutine {n}:\n  example.dev/consumer/{c}.(*{C}Consumer).commit()\n      /src/consumer/{c}/offsets.go:{n} +0x{m}\n--- FAIL: Test{C}Commit (0.{m}s)',
      edit: {
        path: 'consumer/{c}/offsets.go',
        removed: 'c.offset = next',
        added: 'c.offset.CompareAndSwap(prev, next)',
      },
    },
    'CompareAndSwap',
    [
      'Two goroutines advanced the same offset; it is moved by `CompareAndSwap` now.',
      '两个协程同时推进偏移量;现在用 `CompareAndSwap` 更新。',
      'Две горутины двигали одно смещение; теперь оно меняется через `CompareAndSwap`.',
    ],
    [
      'two workers changed the offset at the same time, what was the solution?',
      '两个协程同时改偏移量,最后怎么处理的?',
      'два воркера одновременно меняли смещение, как решили?',
    ],
  ),
  failure(
    ['the unreadable umlauts', '乱码', 'кракозябры'],
    {
      command: 'python -m {c}.importer samples/latin.csv',
      error:
        "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xe4 in position {m}: invalid continuation byte\n  File \"/app/{c}/importer.py\", line {n}, in read_rows",
      edit: { path: '{c}/importer.py', removed: 'open(path)', added: "open(path, encoding='cp1252')" },
    },
    'cp1252',
    [
      'The bank sends Windows files; reading them as `cp1252` solved it.',
      '银行发的是 Windows 文件;按 `cp1252` 读取就好了。',
      'Банк присылает файлы Windows; чтение как `cp1252` решило дело.',
    ],
    [
      'the imported names had broken characters, which encoding was right?',
      '导入的名字全是乱码,应该用哪种编码?',
      'при импорте портились буквы, какая кодировка нужна?',
    ],
  ),
  failure(
    ['the blocked port', '端口被占用', 'занятый порт'],
    {
      command: 'npm run dev:{c}',
      error:
        'Error: listen EADDRINUSE: address already in use :::{n}{m}\n    at Server.setupListenHandle [as _listen2] (node:net:{m}:{n})\n{C}Server failed to start',
      passes: 'PORT=0 npm run dev:{c}',
    },
    'PORT=0',
    [
      'Another project listens there; with `PORT=0` the server takes a free one.',
      '别的项目占用了这个端口;设 `PORT=0` 让服务器自己选空闲端口。',
      'Там слушает другой проект; с `PORT=0` сервер берёт свободный порт.',
    ],
    [
      'the dev server could not listen because something else used its port, what did we do?',
      '开发服务器端口被占用,怎么处理的?',
      'сервер разработки не стартовал из-за занятого порта, что сделали?',
    ],
  ),
  failure(
    ['the endless redirect', '无限重定向', 'бесконечный редирект'],
    {
      command: 'npx playwright test e2e/{c}.spec.ts',
      error:
        'Error: page.goto: net::ERR_TOO_MANY_REDIRECTS at http://localhost/{c}/login?next={m}\n    at e2e/{c}.spec.ts:{n}:{m}',
      edit: { path: 'web/{c}/middleware.ts', removed: 'redirect(url)', added: 'redirectUnlessPublic(url)' },
    },
    'redirectUnlessPublic',
    [
      'The login page itself was guarded; `redirectUnlessPublic` lets it through.',
      '登录页本身也被拦截了;`redirectUnlessPublic` 会放行它。',
      'Страница входа сама была закрыта; `redirectUnlessPublic` её пропускает.',
    ],
    [
      'the sign-in page sent the browser in circles, what was wrong?',
      '登录页不停跳转,原因是什么?',
      'страница входа перенаправляла по кругу, в чём было дело?',
    ],
  ),
  failure(
    ['the version conflict', '版本冲突', 'конфликт версий'],
    {
      command: 'poetry install --directory {c}',
      error:
        'Because {c} depends on protobuf (>=5) and grpcio-tools (1.{n}) depends on protobuf (<5), version solving failed. [{m}]',
      edit: { path: '{c}/pyproject.toml', removed: 'grpcio-tools = "^1.62"', added: 'grpcio-tools = "1.66.2"' },
    },
    '1.66.2',
    [
      'The old tools capped protobuf; pinned to `1.66.2` everything resolves.',
      '旧版工具限制了 protobuf;固定到 `1.66.2` 后可以解析。',
      'Старые инструменты ограничивали protobuf; с закреплённой `1.66.2` всё ставится.',
    ],
    [
      'two packages wanted different versions of a dependency, which one did we pin?',
      '两个包依赖的版本冲突,固定了哪个版本?',
      'пакеты требовали разные версии зависимости, что закрепили?',
    ],
  ),
  failure(
    ['the leaking goroutines', '内存泄漏', 'утечку памяти'],
    {
      command: 'cargo bench --bench {c}_soak',
      error:
        "thread 'main' panicked at benches/{c}_soak.rs:{n}:\nresident set grew by {m} MiB over 10000 rounds ({C}Session never dropped)",
      edit: { path: 'crates/{c}/session.rs', removed: 'Rc<Session>', added: 'Weak<Session>' },
    },
    'Weak<Session>',
    [
      'Parent and child kept each other alive: the child holds a `Weak<Session>` now.',
      '父子互相引用:子对象现在只持有 `Weak<Session>`。',
      'Родитель и потомок держали друг друга: теперь у потомка `Weak<Session>`.',
    ],
    [
      'memory kept growing in the long run, what held it?',
      '长时间运行内存一直增长,是什么没释放?',
      'память росла при долгой работе, что её держало?',
    ],
  ),
  failure(
    ['the failed login in tests', '测试登录失败', 'неудачный вход в тестах'],
    {
      command: 'php artisan test --filter={C}LoginTest',
      error:
        'Failed asserting that 419 is identical to 200.\nTests\\Feature\\{C}LoginTest > it logs in  {n}.{m}s\nPage Expired (CSRF token mismatch)',
      edit: { path: 'tests/{C}LoginTest.php', removed: '$this->post(', added: '$this->withFreshToken()->post(' },
    },
    'withFreshToken',
    [
      'The request carried no token; `withFreshToken` asks for one first.',
      '请求没带令牌;`withFreshToken` 会先取一个。',
      'Запрос шёл без токена; `withFreshToken` сначала его получает.',
    ],
    [
      'the login test said the page had expired, how was that solved?',
      '登录测试提示页面过期,怎么修复的?',
      'тест входа говорил, что страница устарела, как починили?',
    ],
  ),
]
