import type { Spoken, Ways } from './language.ts'

/** Something that a project decides once: what it is about, what may be chosen, why, and how people ask who forgot the words. */
export interface Topic {
  area: Spoken
  /** Words of its identifiers. */
  names: readonly string[]
  file: string
  /** What can be chosen; written alike in every language. */
  options: readonly [string, string, string]
  why: Spoken
  /** Questions without any name in them. */
  vague: Ways
}

const topic = (
  [en, zh, ru]: readonly [string, string, string],
  names: string,
  file: string,
  options: Topic['options'],
  [whyEn, whyZh, whyRu]: readonly [string, string, string],
  vague: Ways,
): Topic => ({
  area: { en, zh, ru },
  names: names.split(' '),
  file,
  options,
  why: { en: whyEn, zh: whyZh, ru: whyRu },
  vague,
})

export const topics: readonly Topic[] = [
  topic(
    ['backup compression', '备份压缩', 'сжатие бэкапов'],
    'archive codec',
    'ops/backup.py',
    ['zstd', 'gzip', 'brotli'],
    ['a restore took half as long', '恢复时间缩短了一半', 'восстановление стало вдвое быстрее'],
    {
      en: ['which algorithm compresses our backups?', 'how do we make the backup archives smaller these days?'],
      zh: ['备份用的是什么压缩算法?', '我们的备份文件是怎么压缩的?'],
      ru: ['каким алгоритмом мы сжимаем бэкапы?', 'чем у нас сжимаются резервные копии?'],
    },
  ),
  topic(
    ['session storage', '会话存储', 'хранение сессий'],
    'session store',
    'src/auth/session_store.ts',
    ['Redis', 'Postgres', 'memcached'],
    [
      'logins must survive a restart of the web nodes',
      '登录状态必须在节点重启后保留',
      'вход должен переживать перезапуск узлов',
    ],
    {
      en: ['where do user sessions live?', 'what keeps people logged in when the server restarts?'],
      zh: ['用户会话存在哪里?', '服务器重启后登录会话靠什么保存?'],
      ru: ['где хранятся пользовательские сессии?', 'куда сохраняются сессии при перезапуске сервера?'],
    },
  ),
  topic(
    ['background queue', '后台队列', 'фоновая очередь'],
    'job broker',
    'src/jobs/broker.go',
    ['NATS', 'RabbitMQ', 'SQS'],
    ['jobs have to be replayed after a crash', '崩溃之后任务需要重放', 'после падения задания нужно проиграть заново'],
    {
      en: ['what runs our background jobs?', 'which message queue carries the jobs?'],
      zh: ['后台任务用的是哪个消息队列?', '任务队列选了什么?'],
      ru: ['на какой очереди работают фоновые задачи?', 'какую очередь сообщений мы взяли для задач?'],
    },
  ),
  topic(
    ['date library', '日期库', 'библиотека дат'],
    'clock format',
    'web/src/dates.ts',
    ['Temporal', 'Luxon', 'dayjs'],
    ['daylight saving broke the weekly report', '夏令时让周报出错', 'переход на летнее время ломал недельный отчёт'],
    {
      en: [
        'what do we use to handle dates and time zones in the browser?',
        'which library formats dates for the user?',
      ],
      zh: ['前端用什么库处理日期和时区?', '日期格式化用哪个库?'],
      ru: ['какая библиотека работает с датами и часовыми поясами?', 'чем форматируются даты для пользователя?'],
    },
  ),
  topic(
    ['image thumbnails', '图片缩略图', 'миниатюры изображений'],
    'thumb encoder',
    'media/thumbs.rs',
    ['AVIF', 'WebP', 'JPEG'],
    [
      'the gallery loaded too slowly on phones',
      '手机上相册加载太慢',
      'галерея слишком медленно грузилась на телефонах',
    ],
    {
      en: ['what format are the small pictures in?', 'in which image format do we store thumbnails?'],
      zh: ['缩略图存成什么格式?', '图片缩略图用的是哪种图片格式?'],
      ru: ['в каком формате мы храним миниатюры?', 'какой формат изображений у миниатюр?'],
    },
  ),
  topic(
    ['payment provider', '支付渠道', 'платёжный провайдер'],
    'payment gateway',
    'billing/provider.rb',
    ['Adyen', 'Stripe', 'Braintree'],
    ['refunds settle in a day there', '退款一天内到账', 'возвраты там проходят за день'],
    {
      en: ['who processes our customers’ payments?', 'which payment company did we pick for checkout and refunds?'],
      zh: ['客户支付走哪个渠道?', '支付和退款我们选了哪家?'],
      ru: ['кто обрабатывает платежи клиентов?', 'какого провайдера выбрали для оплаты и возвратов?'],
    },
  ),
  topic(
    ['search backend', '搜索后端', 'поисковый бэкенд'],
    'search engine',
    'search/engine.py',
    ['Meilisearch', 'Elasticsearch', 'Typesense'],
    ['typo tolerance came for free', '自带拼写容错', 'опечатки там прощаются сразу'],
    {
      en: ['what is behind our search box?', 'which engine answers search queries?'],
      zh: ['搜索用的是什么引擎?', '搜索后端选的哪个?'],
      ru: ['какой движок отвечает на поисковые запросы?', 'что стоит за поиском?'],
    },
  ),
  topic(
    ['cache eviction', '缓存淘汰', 'вытеснение из кэша'],
    'cache policy',
    'src/cache/policy.ts',
    ['LFU', 'LRU', 'FIFO'],
    [
      'one scan of the catalogue flushed everything hot',
      '一次全量扫描会冲掉热点数据',
      'один обход каталога вымывал всё горячее',
    ],
    {
      en: ['how does the cache choose what to throw away?', 'which entries leave the cache first when it is full?'],
      zh: ['缓存满了以后按什么策略淘汰?', '缓存先淘汰哪些条目?'],
      ru: ['как кэш решает, что вытеснить?', 'по какой политике вытесняются записи из кэша?'],
    },
  ),
  topic(
    ['password hashing', '密码哈希', 'хеширование паролей'],
    'password hash',
    'auth/passwords.go',
    ['argon2id', 'bcrypt', 'scrypt'],
    ['the audit asked for memory hardness', '审计要求抗显卡破解', 'этого потребовал аудит безопасности'],
    {
      en: ['how are the passwords of our users hashed?', 'which hash protects stored passwords?'],
      zh: ['用户密码用什么哈希?', '密码是用哪种算法做哈希的?'],
      ru: ['как хешируются пароли пользователей?', 'каким хешем защищены пароли?'],
    },
  ),
  topic(
    ['feature flags', '功能开关', 'флаги функций'],
    'flag source',
    'src/flags/source.ts',
    ['Unleash', 'LaunchDarkly', 'GrowthBook'],
    ['it can be hosted by ourselves', '可以自己部署', 'его можно развернуть у себя'],
    {
      en: ['how do we switch a feature on for some users only?', 'what manages our feature flags?'],
      zh: ['功能开关用什么管理?', '怎么只对部分用户打开一个功能?'],
      ru: ['чем мы управляем флагами функций?', 'как включить функцию только части пользователей?'],
    },
  ),
  topic(
    ['schema migrations', '数据库迁移', 'миграции схемы'],
    'migration runner',
    'db/migrate.sh',
    ['Atlas', 'Flyway', 'Liquibase'],
    ['it plans a rollback by itself', '它能自己生成回滚', 'он сам строит откат'],
    {
      en: ['which tool changes the database schema?', 'how do migrations get run on the database?'],
      zh: ['数据库迁移用哪个工具?', '数据库结构变更怎么执行?'],
      ru: ['каким инструментом гоняем миграции базы данных?', 'чем меняется схема базы?'],
    },
  ),
  topic(
    ['log shipping', '日志收集', 'доставка логов'],
    'log shipper',
    'ops/logging.yaml',
    ['Vector', 'Fluentd', 'Logstash'],
    ['the old agent ate a gigabyte of memory', '旧的代理占用一个 G 内存', 'старый агент съедал гигабайт памяти'],
    {
      en: ['what collects the logs from the machines?', 'how do the logs get off the servers?'],
      zh: ['服务器日志用什么收集?', '日志是怎么从机器上收集走的?'],
      ru: ['чем собираются логи с серверов?', 'как логи уходят с машин?'],
    },
  ),
  topic(
    ['PDF rendering', 'PDF 渲染', 'рендеринг PDF'],
    'invoice renderer',
    'reports/pdf.py',
    ['WeasyPrint', 'wkhtmltopdf', 'Puppeteer'],
    ['page breaks fell inside table rows', '分页会切断表格行', 'разрывы страниц резали строки таблиц'],
    {
      en: ['what turns invoices into PDF?', 'how do we print a report to PDF?'],
      zh: ['发票用什么生成 PDF?', '报表是用什么渲染成 PDF 的?'],
      ru: ['чем мы превращаем счета в PDF?', 'как печатается отчёт в PDF?'],
    },
  ),
  topic(
    ['API pagination', '接口分页', 'пагинация API'],
    'page cursor',
    'api/paging.ts',
    ['keyset cursors', 'offset/limit', 'page tokens'],
    ['rows were skipped while others were inserted', '插入数据时会漏行', 'строки терялись, пока вставлялись другие'],
    {
      en: ['how do clients page through long lists?', 'what kind of pagination do the list endpoints have?'],
      zh: ['列表接口怎么分页?', '分页用的是哪种方式?'],
      ru: ['как устроена пагинация длинных списков?', 'какую пагинацию отдают списки?'],
    },
  ),
  topic(
    ['email delivery', '邮件发送', 'отправка почты'],
    'mail transport',
    'notify/mail.ex',
    ['Postmark', 'SendGrid', 'Mailgun'],
    ['receipts landed in spam', '收据进了垃圾箱', 'чеки попадали в спам'],
    {
      en: ['through whom do we send email to customers?', 'which service delivers our mail?'],
      zh: ['给客户的邮件通过谁发送?', '邮件发送用的哪个服务?'],
      ru: ['через кого отправляем письма клиентам?', 'какой сервис доставляет нашу почту?'],
    },
  ),
  topic(
    ['state management', '状态管理', 'управление состоянием'],
    'ui store',
    'web/src/store.ts',
    ['Zustand', 'Redux', 'MobX'],
    ['half of the code was boilerplate', '一半代码都是样板', 'половина кода была шаблонной'],
    {
      en: ['how does the frontend keep its state?', 'what holds component state in the web app?'],
      zh: ['前端用什么管理状态?', '前端组件的状态放在哪里管理?'],
      ru: ['чем фронтенд хранит состояние?', 'что управляет состоянием компонентов?'],
    },
  ),
  topic(
    ['service authentication', '服务间鉴权', 'аутентификация сервисов'],
    'service identity',
    'mesh/identity.yaml',
    ['mTLS', 'HMAC', 'OAuth2'],
    ['shared secrets leaked into logs twice', '共享密钥两次泄露到日志', 'общие секреты дважды утекли в логи'],
    {
      en: ['how do services prove to each other who they are?', 'what authenticates calls between our services?'],
      zh: ['服务之间怎么鉴权?', '服务互相调用用什么认证?'],
      ru: ['как сервисы проходят аутентификацию друг у друга?', 'чем аутентифицируются вызовы между сервисами?'],
    },
  ),
  topic(
    ['metrics collection', '指标采集', 'сбор метрик'],
    'metric sink',
    'ops/metrics.go',
    ['VictoriaMetrics', 'Prometheus', 'InfluxDB'],
    ['a year of data fits on one disk', '一年的数据放得下一块盘', 'год данных помещается на один диск'],
    {
      en: ['where do the metrics go?', 'what stores our monitoring metrics?'],
      zh: ['监控指标存在哪里?', '指标采集用的什么?'],
      ru: ['куда пишутся метрики?', 'что хранит метрики мониторинга?'],
    },
  ),
  topic(
    ['config format', '配置格式', 'формат конфигурации'],
    'config loader',
    'src/config/load.rs',
    ['TOML', 'YAML', 'JSON5'],
    ['indentation mistakes took production down', '缩进错误导致线上故障', 'ошибка в отступах уронила прод'],
    {
      en: ['in what format are the configuration files?', 'which format do we write settings in?'],
      zh: ['配置文件用什么格式?', '配置是哪种格式写的?'],
      ru: ['в каком формате файлы конфигурации?', 'какой формат у настроек?'],
    },
  ),
  topic(
    ['file uploads', '文件上传', 'загрузка файлов'],
    'upload protocol',
    'api/uploads.ts',
    ['tus', 'multipart', 'presigned URLs'],
    ['large videos failed on trains', '火车上传大视频总是失败', 'большие видео не загружались в поезде'],
    {
      en: ['how do large files get uploaded?', 'what happens when an upload of a video breaks off?'],
      zh: ['大文件怎么上传?', '视频上传中断了怎么办?'],
      ru: ['как загружаются большие файлы?', 'что с загрузкой видео, если связь оборвалась?'],
    },
  ),
  topic(
    ['rate limiting', '限流', 'ограничение частоты запросов'],
    'rate limiter',
    'gateway/limits.go',
    ['token bucket', 'sliding window', 'leaky bucket'],
    ['bursts from mobile clients are legitimate', '移动端的突发流量是正常的', 'всплески от мобильных клиентов законны'],
    {
      en: ['how do we limit the rate of requests?', 'which algorithm throttles clients that send too much?'],
      zh: ['请求限流用的什么算法?', '客户端请求太多时怎么限流?'],
      ru: ['каким алгоритмом ограничиваем частоту запросов?', 'как работает лимит запросов от клиентов?'],
    },
  ),
  topic(
    ['monorepo tooling', '单仓库工具', 'инструменты монорепозитория'],
    'build graph',
    'tools/build.json',
    ['Turborepo', 'Nx', 'Bazel'],
    ['nobody could read the old build files', '旧的构建文件没人看得懂', 'старые файлы сборки никто не понимал'],
    {
      en: ['what builds all the packages of the repository?', 'which tool orchestrates the build of our packages?'],
      zh: ['仓库里的包用什么工具构建?', '构建多个包用的哪个工具?'],
      ru: ['чем собираются все пакеты репозитория?', 'какой инструмент управляет сборкой пакетов?'],
    },
  ),
  topic(
    ['end-to-end tests', '端到端测试', 'сквозные тесты'],
    'browser harness',
    'e2e/run.ts',
    ['Playwright', 'Cypress', 'Selenium'],
    ['the suite was flaky in Safari', '测试在 Safari 里不稳定', 'набор был нестабилен в Safari'],
    {
      en: ['what drives the browser in our tests?', 'which tool runs the end-to-end tests?'],
      zh: ['端到端测试用什么工具?', '浏览器测试是用什么跑的?'],
      ru: ['чем гоняем сквозные тесты в браузере?', 'какой инструмент управляет браузером в тестах?'],
    },
  ),
  topic(
    ['money amounts', '金额表示', 'представление денег'],
    'money type',
    'billing/money.kt',
    ['integer cents', 'BigDecimal', 'floats'],
    [
      'rounding lost a cent on every tenth invoice',
      '每十张发票就丢一分钱',
      'округление теряло копейку на каждом десятом счёте',
    ],
    {
      en: ['how do we represent prices and amounts of money?', 'what type holds a price so that rounding is right?'],
      zh: ['金额和价格用什么类型表示?', '价格怎么存才不会有取整误差?'],
      ru: ['каким типом представлены цены и суммы?', 'как храним цену, чтобы округление не врало?'],
    },
  ),
  topic(
    ['secrets', '密钥管理', 'хранение секретов'],
    'secret backend',
    'deploy/secrets.tf',
    ['Vault', 'SOPS', 'Doppler'],
    ['rotation has to happen without a deploy', '轮换密钥不能依赖部署', 'ротация должна идти без деплоя'],
    {
      en: ['where do the production credentials come from?', 'what keeps our secrets and rotates them?'],
      zh: ['生产环境的凭证放在哪里?', '密钥用什么管理?'],
      ru: ['откуда берутся секреты для продакшена?', 'где хранятся и обновляются секреты?'],
    },
  ),
  topic(
    ['realtime updates', '实时推送', 'обновления в реальном времени'],
    'live channel',
    'web/src/live.ts',
    ['server-sent events', 'WebSockets', 'long polling'],
    ['proxies at customers cut idle sockets', '客户的代理会切断空闲连接', 'прокси клиентов рвут простаивающие сокеты'],
    {
      en: ['how does the page learn of changes without a reload?', 'how do updates reach the browser in real time?'],
      zh: ['页面怎么实时收到更新?', '浏览器的实时推送用的什么?'],
      ru: ['как страница узнаёт об изменениях без перезагрузки?', 'как обновления доходят до браузера?'],
    },
  ),
  topic(
    ['map tiles', '地图瓦片', 'тайлы карты'],
    'tile source',
    'maps/tiles.ts',
    ['Protomaps', 'Mapbox', 'MapTiler'],
    ['the bill doubled every summer', '每年夏天账单翻倍', 'каждое лето счёт удваивался'],
    {
      en: ['whose map do we show?', 'where do the tiles of the map come from?'],
      zh: ['地图瓦片来自哪里?', '我们的地图用的谁家的瓦片?'],
      ru: ['откуда берутся тайлы карты?', 'чью карту мы показываем?'],
    },
  ),
  topic(
    ['serialization between services', '服务间序列化', 'сериализация между сервисами'],
    'wire encoding',
    'proto/codec.go',
    ['protobuf', 'MessagePack', 'Avro'],
    [
      'a renamed field broke three consumers',
      '改了一个字段名就坏了三个消费者',
      'переименованное поле сломало трёх потребителей',
    ],
    {
      en: ['in what encoding do services talk to each other?', 'how are messages between services serialized?'],
      zh: ['服务之间的消息怎么序列化?', '服务间通信用什么编码?'],
      ru: ['как сериализуются сообщения между сервисами?', 'в какой кодировке сервисы обмениваются сообщениями?'],
    },
  ),
  topic(
    ['python packaging', 'Python 依赖管理', 'управление зависимостями Python'],
    'lock tool',
    'pyproject.toml',
    ['uv', 'Poetry', 'pip-tools'],
    ['resolving dependencies took four minutes', '解析依赖要四分钟', 'разрешение зависимостей занимало четыре минуты'],
    {
      en: ['what installs and locks our python dependencies?', 'how do we manage dependencies in python?'],
      zh: ['Python 依赖用什么工具锁定?', 'Python 依赖怎么安装?'],
      ru: ['чем устанавливаются и фиксируются зависимости Python?', 'как управляем зависимостями Python?'],
    },
  ),
  topic(
    ['error tracking', '错误追踪', 'отслеживание ошибок'],
    'crash reporter',
    'web/src/errors.ts',
    ['GlitchTip', 'Sentry', 'Bugsnag'],
    ['customer data may not leave the country', '客户数据不能出境', 'данные клиентов не должны покидать страну'],
    {
      en: ['where are crashes of the app reported to?', 'what tracks errors of the frontend?'],
      zh: ['应用崩溃上报到哪里?', '前端错误用什么追踪?'],
      ru: ['куда отправляются падения приложения?', 'чем отслеживаем ошибки фронтенда?'],
    },
  ),
  topic(
    ['id generation', '主键生成', 'генерация идентификаторов'],
    'key generator',
    'src/ids.rs',
    ['UUIDv7', 'ULID', 'snowflake ids'],
    ['random keys made the index bloat', '随机主键让索引膨胀', 'случайные ключи раздували индекс'],
    {
      en: ['how do rows get their primary keys?', 'what kind of ids do new records have?'],
      zh: ['主键是怎么生成的?', '新记录用什么样的主键?'],
      ru: ['как генерируются первичные ключи?', 'какие идентификаторы у новых записей?'],
    },
  ),
  topic(
    ['container base image', '容器基础镜像', 'базовый образ контейнера'],
    'base image',
    'Dockerfile',
    ['distroless', 'alpine', 'debian-slim'],
    ['musl made DNS lookups time out', 'musl 的 DNS 解析会超时', 'с musl запросы DNS зависали'],
    {
      en: ['what are our docker images built on?', 'which image do the containers start from?'],
      zh: ['容器的基础镜像用的哪个?', 'docker 镜像基于什么构建?'],
      ru: ['на каком образе собираются наши контейнеры?', 'какой базовый образ у docker?'],
    },
  ),
]
