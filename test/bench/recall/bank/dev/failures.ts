import { failure, type Failure } from '../failure.ts'

export const failures: readonly Failure[] = [
  failure(
    ['the time zone test', '时区测试失败', 'падение теста часовых поясов'],
    {
      command: 'python -m pytest -q tests/{c}/test_tz.py',
      error:
        'E   AssertionError: expected 2026-03-{n}T02:00 in {C}.offsets, got 03:00\ntests/{c}/test_tz.py:{m}: AssertionError',
      edit: {
        path: '{c}/zones.py',
        removed: 'datetime.utcnow()',
        added: 'datetime.now(ZoneInfo("UTC"))',
      },
    },
    'ZoneInfo',
    [
      'The naive datetime was the cause: with `ZoneInfo` the offsets are right.',
      '根因是不带时区的时间;改用 `ZoneInfo` 之后偏移正确了。',
      'Причина — наивное время; с `ZoneInfo` смещения верны.',
    ],
    [
      'the test around daylight saving failed once, what was it?',
      '之前时区测试失败是怎么修复的?',
      'почему тогда падал тест с часовыми поясами?',
    ],
  ),
  failure(
    ['the missing module', '找不到模块', 'отсутствующий модуль'],
    {
      command: 'python -m pytest -q tests/{c}',
      error: "E   ModuleNotFoundError: No module named '{c}_core'\n1 error in {n}.{m}s",
      passes: 'PYTHONPATH=src python -m pytest -q tests/{c}',
    },
    'PYTHONPATH=src',
    [
      'The package is not installed in the test environment; with `PYTHONPATH=src` the tests pass.',
      '测试环境里没有安装这个包;加上 `PYTHONPATH=src` 测试就通过了。',
      'Пакет не установлен в тестовом окружении; с `PYTHONPATH=src` тесты проходят.',
    ],
    [
      'pytest could not import our package, how did we get it to run?',
      'pytest 导入不了我们的模块,当时怎么解决的?',
      'pytest не находил наш модуль, как мы это исправили?',
    ],
  ),
  failure(
    ['the heap running out', '内存溢出', 'нехватку памяти'],
    {
      command: 'npm run build -- --filter={c}',
      error:
        '<--- Last few GCs --->\n[{n}:0x{m}] Mark-Compact\nFATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory ({C}Bundle)',
      passes: 'NODE_OPTIONS=--max-old-space-size=6144 npm run build -- --filter={c}',
    },
    'max-old-space-size=6144',
    [
      'The source maps of the bundle need more heap: it builds with `NODE_OPTIONS=--max-old-space-size=6144`.',
      '打包的 source map 需要更多堆内存:用 `NODE_OPTIONS=--max-old-space-size=6144` 就能构建。',
      'Карты исходников требуют больше кучи: с `NODE_OPTIONS=--max-old-space-size=6144` сборка проходит.',
    ],
    [
      'the build ran out of memory, what helped?',
      '构建时内存溢出,怎么解决的?',
      'сборке не хватало памяти, что помогло?',
    ],
  ),
  failure(
    ['the deadlock', '死锁', 'взаимоблокировку'],
    {
      command: 'go test ./internal/{c}/...',
      error:
        'fatal error: all goroutines are asleep - deadlock!\n\ngoroutine {n} [semacquire]:\nsync.(*Mutex).Lock(0x{m})\n\t/build/internal/{c}/{c}_writer.go:{n} +0x{m}\nFAIL\texample.dev/{c}',
      edit: { path: 'internal/{c}/writer.go', removed: 'w.flushLocked()', added: 'defer w.flushAfterUnlock()' },
    },
    'flushAfterUnlock',
    [
      'Root cause: the writer flushed while it held its own mutex. It calls `flushAfterUnlock` now.',
      '根因:写入器在持有自己的锁时刷盘。现在改为调用 `flushAfterUnlock`。',
      'Причина: писатель сбрасывал буфер, держа свой мьютекс. Теперь вызывается `flushAfterUnlock`.',
    ],
    ['why did the writer hang with a deadlock?', '写入为什么会死锁?', 'из-за чего возникал дедлок при записи?'],
  ),
  failure(
    ['the type error in the client', '客户端类型错误', 'ошибку типов в клиенте'],
    {
      command: 'npx tsc --noEmit -p packages/{c}',
      error:
        "packages/{c}/src/client.ts({n},{m}): error TS2345: Argument of type 'string | undefined' is not assignable to parameter of type '{C}Key'.",
      edit: {
        path: 'packages/{c}/src/client.ts',
        removed: 'lookup(params.key)',
        added: 'lookup(assertKey(params.key))',
      },
    },
    'assertKey',
    [
      'The key could be undefined; `assertKey` narrows it before the lookup, and the check passes.',
      '键可能是 undefined;查找之前用 `assertKey` 收窄类型,检查就通过了。',
      'Ключ мог быть undefined; `assertKey` сужает тип перед поиском, проверка проходит.',
    ],
    [
      'the compiler complained about an undefined key, how was it solved?',
      '编译器说键可能未定义,怎么修的?',
      'компилятор ругался на неопределённый ключ, как исправили?',
    ],
  ),
  failure(
    ['the refused connection', '连接被拒绝', 'отказ в соединении'],
    {
      command: 'make integration-{c}',
      error:
        'psycopg.OperationalError: connection failed: connection to server at "127.0.0.1", port 5432 failed: Connection refused ({c}_test)\nmake: *** [integration-{c}] Error {n}',
      passes: 'docker compose up -d --wait {c}-db && make integration-{c}',
    },
    '--wait {c}-db',
    [
      'The database was not up yet; `docker compose up -d --wait {c}-db` first, then the tests pass.',
      '数据库还没启动;先运行 `docker compose up -d --wait {c}-db`,测试就通过了。',
      'База ещё не поднялась; сначала `docker compose up -d --wait {c}-db`, и тесты проходят.',
    ],
    [
      'integration tests could not connect to the database, what was missing?',
      '集成测试连接不上数据库,当时缺什么?',
      'интеграционные тесты не подключались к базе данных, чего не хватало?',
    ],
  ),
  failure(
    ['the snapshot mismatch', '快照不一致', 'расхождение снимков'],
    {
      command: 'npx vitest run {c}',
      error:
        ' FAIL  test/{c}.test.ts > {C} > renders the summary\nError: Snapshot `{C} > renders the summary {n}` mismatched\n ❯ test/{c}.test.ts:{n}:{m}',
      edit: {
        path: 'src/{c}/summary.ts',
        removed: 'Object.keys(totals)',
        added: 'Object.keys(totals).sort(byLocale)',
      },
    },
    'byLocale',
    [
      'The order of the keys depended on insertion; sorting them with `byLocale` fixed the snapshot.',
      '键的顺序取决于插入顺序;用 `byLocale` 排序后快照就一致了。',
      'Порядок ключей зависел от вставки; сортировка `byLocale` исправила снимок.',
    ],
    [
      'a snapshot differed on every machine, why was that?',
      '快照在每台机器上都不一致,原因是什么?',
      'снимок отличался на каждой машине, почему?',
    ],
  ),
  failure(
    ['the borrow checker error', '借用检查错误', 'ошибку заимствования'],
    {
      command: 'cargo test -p {c}',
      error:
        'error[E0502]: cannot borrow `self.ring` as mutable because it is also borrowed as immutable\n  --> crates/{c}/src/ring_{c}.rs:{n}:{m}\nerror: could not compile `{c}` (lib test) due to 1 previous error',
      edit: {
        path: 'crates/{c}/src/ring.rs',
        removed: 'for slot in self.ring.iter()',
        added: 'for slot in std::mem::take(&mut self.ring)',
      },
    },
    'mem::take',
    [
      'The loop held a shared borrow of the ring; taking it out with `mem::take` solved it.',
      '循环一直持有 ring 的共享借用;用 `mem::take` 取出来就解决了。',
      'Цикл держал общее заимствование; помогло забрать значение через `mem::take`.',
    ],
    [
      'how did we get around the borrow problem in the ring buffer?',
      '环形缓冲的借用问题是怎么绕过去的?',
      'как обошли проблему заимствования в кольцевом буфере?',
    ],
  ),
  failure(
    ['the expired certificate', '证书过期', 'просроченный сертификат'],
    {
      command: './scripts/smoke.sh {c}',
      error:
        'curl: (60) SSL certificate problem: certificate has expired\n{c}-staging.example.dev:443 handshake failed after {n} ms',
      edit: {
        path: 'deploy/{c}/issuer.yaml',
        removed: 'renewBefore: 24h',
        added: 'renewBefore: 360h',
      },
    },
    '360h',
    [
      'The issuer renewed too late; with `renewBefore: 360h` the smoke test passes again.',
      '签发者续期太晚;`renewBefore: 360h` 之后冒烟测试恢复正常。',
      'Издатель обновлял слишком поздно; с `renewBefore: 360h` проверка снова проходит.',
    ],
    [
      'staging had an expired certificate, what did we change?',
      '预发环境证书过期,我们改了什么?',
      'на стейджинге истёк сертификат, что мы поменяли?',
    ],
  ),
  failure(
    ['the locked migration', '迁移被锁', 'заблокированную миграцию'],
    {
      command: 'bin/rails db:migrate:{c}',
      error:
        'ActiveRecord::LockWaitTimeout: PG::LockNotAvailable: ERROR:  canceling statement due to lock timeout\n-- add_index(:{c}_events, :seen_at)  ({n}.{m}s)',
      edit: {
        path: 'db/migrate/{c}_index.rb',
        removed: 'add_index :events, :seen_at',
        added: 'add_index :events, :seen_at, algorithm: :concurrently',
      },
    },
    'concurrently',
    [
      'The index was built under a lock; `algorithm: :concurrently` outside a transaction made the migration pass.',
      '建索引时锁了表;在事务外用 `algorithm: :concurrently` 迁移就通过了。',
      'Индекс строился под блокировкой; `algorithm: :concurrently` вне транзакции помогло.',
    ],
    [
      'a migration timed out waiting for a lock, how did we run it?',
      '迁移等待锁超时,后来怎么跑通的?',
      'миграция не дождалась блокировки, как её запустили?',
    ],
  ),
  failure(
    ['the flaky upload', '上传不稳定', 'нестабильную загрузку'],
    {
      command: 'mix test test/{c}_upload_test.exs',
      error:
        '** (ExUnit.TimeoutError) test {c} uploads in chunks timed out after {n}000ms. Stacktrace: ({c} 0.{m}.0) lib/{c}/chunker.ex:{n}',
      edit: { path: 'lib/{c}/chunker.ex', removed: 'chunk_size: 65_536', added: 'chunk_size: 1_048_576' },
    },
    '1_048_576',
    [
      'Tiny chunks starved the pool. It was fixed by `chunk_size: 1_048_576`.',
      '分块太小,占满了连接池。改成 `chunk_size: 1_048_576` 后修复。',
      'Слишком мелкие куски забивали пул. Исправлено: `chunk_size: 1_048_576`.',
    ],
    [
      'chunked uploads were timing out, what size did we settle on?',
      '分块上传一直超时,最后改成多大?',
      'загрузка кусками падала по таймауту, какой размер поставили?',
    ],
  ),
  failure(
    ['the wrong architecture', '架构不对', 'неверную архитектуру'],
    {
      command: 'docker build -t {c}-worker .',
      error:
        'exec /usr/local/bin/{c}-worker: exec format error\nERROR: process "/bin/sh -c ./{c}-worker --selftest" did not complete successfully: exit code: 255',
      passes: 'docker build --platform=linux/amd64 -t {c}-worker .',
    },
    '--platform=linux/amd64',
    [
      'The base was pulled for arm; it works with `--platform=linux/amd64`.',
      '基础镜像拉成了 arm;加上 `--platform=linux/amd64` 就可以了。',
      'Базовый образ скачался для arm; с `--platform=linux/amd64` работает.',
    ],
    [
      'docker built the image for the wrong platform, which option was it?',
      'docker 镜像平台不对,当时加了什么选项?',
      'docker собрал образ не для той платформы, какую опцию добавили?',
    ],
  ),
]
