import { failure, type Failure } from '../failure.ts'

/** Held out, as the topics beside it are. */
export const failures: readonly Failure[] = [
  failure(
    ['the null reference at start-up', '启动时空指针', 'null при запуске'],
    {
      command: './gradlew :{c}:run',
      error:
        'Exception in thread "main" java.lang.NullPointerException: Cannot invoke "Clock.now()" because "this.clock" is null\n\tat dev.example.{c}.{C}App.boot({C}App.java:{n})\n\tat dev.example.{c}.Main.main(Main.java:{m})',
      edit: { path: '{c}/src/{C}App.java', removed: 'new Timer(clock)', added: 'Timer.lazily(() -> clock)' },
    },
    'Timer.lazily',
    [
      'The timer asked for the clock before it was injected; `Timer.lazily` waits for it.',
      '计时器在注入之前就用了时钟;`Timer.lazily` 会等待它。',
      'Таймер брал часы до внедрения; `Timer.lazily` дожидается.',
    ],
    [
      'the program died with a null pointer when it started, what was the solution?',
      '程序启动时报空指针,最后怎么改的?',
      'программа падала с null при запуске, как поправили?',
    ],
  ),
  failure(
    ['the permission error', '权限错误', 'ошибку прав'],
    {
      command: 'ansible-playbook deploy/{c}.yml',
      error: 'fatal: [{c}-{n}]: FAILED! => {"msg": "[Errno 13] Permission denied: /srv/{c}/releases/{m}", "rc": 1}',
      passes: 'ansible-playbook --become deploy/{c}.yml',
    },
    '--become',
    [
      'The directory belongs to root; the play works with `--become`.',
      '目录属于 root;加上 `--become` 就能执行。',
      'Каталог принадлежит root; с `--become` всё работает.',
    ],
    [
      'the deployment was not allowed to write, which flag helped?',
      '部署时没有写权限,加了什么参数?',
      'при деплое не хватало прав на запись, какой флаг помог?',
    ],
  ),
  failure(
    ['the slow query', '慢查询', 'медленный запрос'],
    {
      command: 'mvn -q verify -Dtest={C}LoadTest',
      error: '{C}LoadTest.pageLoads:{n} expected response below 200 ms but was {m}0 ms\nBUILD FAILURE',
      edit: {
        path: 'db/{c}/orders.sql',
        removed: 'ORDER BY created_at',
        added: 'ORDER BY created_at -- uses ix_orders_tenant_created',
      },
    },
    'ix_orders_tenant_created',
    [
      'It sorted the whole table; the index `ix_orders_tenant_created` made it fast.',
      '原来是全表排序;建了 `ix_orders_tenant_created` 索引之后很快。',
      'Сортировалась вся таблица; индекс `ix_orders_tenant_created` всё ускорил.',
    ],
    [
      'loading orders was far too slow, what sped it up?',
      '订单查询太慢,后来怎么优化的?',
      'заказы грузились слишком медленно, чем ускорили?',
    ],
  ),
  failure(
    ['the wrong time in reports', '报表时间错误', 'неверное время в отчётах'],
    {
      command: 'pytest reports/{c} -k midnight',
      error:
        'E   assert datetime.date(2026, 5, {n}) == datetime.date(2026, 5, 3)\nreports/{c}/test_midnight.py:{m}: AssertionError',
      edit: { path: 'reports/{c}/day.py', removed: 'date.today()', added: 'business_day(now)' },
    },
    'business_day',
    [
      'The server counts in UTC; `business_day` uses the branch’s own midnight.',
      '服务器按 UTC 计算;`business_day` 用分店当地的零点。',
      'Сервер считает в UTC; `business_day` берёт местную полночь.',
    ],
    ['reports were off by one day, why?', '报表日期差一天,为什么?', 'отчёты ошибались на один день, почему?'],
  ),
  failure(
    ['the hanging shutdown', '关闭时卡住', 'зависание при остановке'],
    {
      command: 'make stop-{c}',
      error:
        'stopping {c} (pid {m}) ... still running after {n} s\nmake: *** [stop-{c}] Terminated\n{C}Supervisor: 1 worker did not exit',
      edit: { path: 'cmd/{c}/main.go', removed: 'server.Close()', added: 'server.DrainWithin(grace)' },
    },
    'DrainWithin',
    [
      'Open streams were never closed; `DrainWithin` ends them first.',
      '打开的流一直没关;`DrainWithin` 会先结束它们。',
      'Открытые потоки не закрывались; `DrainWithin` сначала завершает их.',
    ],
    [
      'the service would not stop, what did we do about it?',
      '服务停不下来,当时怎么处理的?',
      'сервис не останавливался, что мы сделали?',
    ],
  ),
  failure(
    ['the duplicate emails', '重复邮件', 'повторные письма'],
    {
      command: 'npm test -w {c} -- mailer',
      error:
        'AssertionError: expected {n} to equal 1 (messages for order {m})\n    at Context.<anonymous> ({c}/test/mailer.spec.js:{n}:{m})\n{C}Mailer sent twice',
      edit: { path: '{c}/src/mailer.js', removed: 'send(mail)', added: 'sendOnce(mail.fingerprint(), mail)' },
    },
    'sendOnce',
    [
      'The retry sent again what had gone out; `sendOnce` looks at the fingerprint.',
      '重试把已发送的又发了一次;`sendOnce` 会检查指纹。',
      'Повтор отправлял уже ушедшее; `sendOnce` сверяет отпечаток.',
    ],
    [
      'customers got the same message twice, how was that stopped?',
      '客户收到两封相同的邮件,怎么避免的?',
      'клиенты получали письмо дважды, как это прекратили?',
    ],
  ),
  failure(
    ['the failing signature check', '签名校验失败', 'сбой проверки подписи'],
    {
      command: 'swift test --filter {C}WebhookTests',
      error:
        'error: -[{C}WebhookTests test_verifies] : XCTAssertEqual failed: ("401") is not equal to ("200") - bad digest {m}\n{C}WebhookTests.swift:{n}',
      edit: { path: 'Sources/{C}/Verify.swift', removed: 'body.string', added: 'body.rawBytes' },
    },
    'rawBytes',
    [
      'Parsing changed the white space; the digest is taken over `rawBytes` now.',
      '解析改变了空白;现在对 `rawBytes` 计算摘要。',
      'Разбор менял пробелы; хеш теперь берётся от `rawBytes`.',
    ],
    [
      'callbacks were rejected as forged, what was wrong?',
      '回调总是验证失败,哪里错了?',
      'вебхуки отклонялись как поддельные, в чём ошибка?',
    ],
  ),
  failure(
    ['the broken layout on phones', '手机布局错乱', 'сломанную вёрстку на телефоне'],
    {
      command: 'npx cypress run --spec cypress/{c}.cy.js',
      error:
        'AssertionError: Timed out retrying after {n}00ms: expected <nav.{c}> to be visible, width {m}px overflows\n      at cypress/{c}.cy.js:{n}:{m}',
      edit: { path: 'styles/{c}.css', removed: 'width: 480px', added: 'width: min(100%, 30rem)' },
    },
    'min(100%, 30rem)',
    [
      'A fixed width pushed the menu out; `min(100%, 30rem)` keeps it in.',
      '固定宽度把菜单挤出屏幕;改成 `min(100%, 30rem)` 就好了。',
      'Фиксированная ширина выталкивала меню; `min(100%, 30rem)` держит его внутри.',
    ],
    [
      'the menu was cut off on small screens, how did we repair it?',
      '小屏幕上菜单显示不全,怎么修好的?',
      'на маленьком экране меню обрезалось, как починили?',
    ],
  ),
]
