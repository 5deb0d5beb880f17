/**
 * Developers' words once more, field by field, with their verbs and everyday synonyms: English | Chinese | Russian. Kept by
 * hand. A semicolon or a line's end parts them. What one says who doesn't recall the term stands beside the term.
 */
export const fields: readonly string[] = `
slow, sluggish, latency, lag | 很慢, 变慢, 太慢, 缓慢, 卡顿, 慢查 | медленно, медленный, тормозит, долгий, задержка
fast, quick, speed, accelerate | 加速, 提速, 更快, 很快 | быстрый, ускорить, ускорение, быстрее
crash, panic, segfault, abort, die, died, killed | 崩溃, 闪退, 宕机, 挂了, 挂掉 | падение, краш, упал, падает, крах, авария, сбой
hang, freeze, froze, stall, block, deadlock, stuck | 卡死, 卡住, 死锁, 阻塞, 停不下来 | зависает, завис, зависание, дедлок, взаимоблокировка, блокировка
leak, grow, growing, growth | 泄漏, 泄露, 增长 | утечка, растет, росла, рост
memory, heap, ram, oom | 内存, 堆内存, 内存溢出 | память, куча, нехватка памяти
disk, space, volume, storage full | 磁盘, 硬盘, 空间 | диск, место, том, раздел
mistake, wrong, incorrect, error, invalid, bad | 错误, 不对, 不正确, 出错 | ошибка, неверный, неправильный, ошибочный
broken, corrupt, garbled, mangled, unreadable, mojibake | 乱码, 损坏, 破损, 错乱 | испорченный, битый, сломанный, кракозябры, портится
missing, absent, lost, not found | 缺失, 丢失, 缺少, 找不到 | отсутствующий, пропавший, потерянный, терялся, не найден
refuse, deny, reject, forbidden, unauthorized | 拒绝, 禁止, 被拒 | отказ, отклонить, запрещено, отклонялся
retry, repeat, attempt, again, reattempt | 重试, 重复请求 | повтор, повторить, попытка, повторный, ретрай
backoff, exponential, delay, wait, interval, pause | 退避, 间隔, 延迟, 等待 | задержка, пауза, интервал, ожидание, ждать
compress, compression, zip, shrink, smaller, codec | 压缩, 编码器 | сжатие, сжимать, сжимаются, сжат, кодек
encode, encoding, codec, transcode, transcoding, encoder | 编码, 转码, 编码器 | кодировать, кодирование, перекодирование, кодек, кодировка
charset, unicode, utf-8, character | 字符, 字符集, 编码 | кодировка, символ, буква, юникод
store, storage, save, persist, keep, stored | 存储, 保存, 存放, 储存, 存在, 持久化 | хранение, хранить, хранится, хранятся, хранилище, сохранять, лежит
backup, dump, snapshot, copy | 备份, 快照, 副本 | бэкап, резервная копия, резервный, снимок, копия
restore, recover, recovery, failover, disaster | 恢复, 还原, 容灾, 灾难, 灾备 | восстановление, восстановить, аварийный, отказ
replica, replication, standby, secondary, region | 副本, 备用, 从库, 区域 | реплика, репликация, резервный, регион
database, db, sql, postgres, rdbms | 数据库, 库表 | база данных, бд, базе, база
query, select, lookup, sql | 查询, 检索 | запрос, выборка
transaction, isolation, atomic, commit | 事务, 隔离 | транзакция, изоляция, изолирован, атомарный
migration, migrate, schema change, alter | 迁移, 变更表 | миграция, мигрировать, перенос
index, primary key, key, identifier, id, uuid | 主键, 标识, 编号, 唯一标识 | ключ, идентификатор, первичный ключ, айди
number, numbering, sequence, counter | 编号, 序号, 号码, 计数 | номер, нумерация, нумеруются, счетчик, последовательность
generate, generation, produce, create, make | 生成, 产生, 创建 | генерация, генерировать, генерируются, создание, создавать, порождать
pool, pooling, reuse, share | 连接池, 复用, 池化 | пул, пулим, переиспользование
connection, connect, socket, link | 连接, 链接 | соединение, подключение, подключаться, коннект
cache, caching, memoize, evict, eviction, throw away | 缓存, 淘汰, 逐出 | кэш, кеш, кешировать, вытеснение, вытеснить, вытесняются
queue, broker, message bus, mq | 队列, 消息队列, 消息中间件 | очередь, брокер, шина
message, event, payload | 消息, 事件, 报文 | сообщение, событие
background, job, task, worker, async | 后台, 任务, 作业, 异步 | фоновый, задача, задание, воркер, фон
schedule, scheduler, scheduled, cron, periodic, nightly, timer | 定时, 调度, 调度器, 夜间, 定期, 周期 | расписание, планировщик, периодический, ночной, крон, по расписанию
order, ordering, sequence, sort, first, precedence | 顺序, 先后, 排序, 次序 | порядок, упорядочен, очередность, сортировка, последовательность
stream, streaming, flow | 流式, 数据流, 流处理, 实时流 | поток, потоковый, стриминг
realtime, live, push, websocket, instant | 实时, 推送, 即时 | реальное время, мгновенный, пуш, обновления
notification, notify, alert, push, remind | 通知, 推送, 提醒, 告警 | уведомление, оповещение, пуш, уведомлять, напоминание
phone, mobile, smartphone, tablet, device, android, ios | 手机, 移动端, 平板, 设备, 移动 | телефон, мобильный, смартфон, планшет, устройство
desktop, computer, pc, workstation | 桌面, 桌面端, 电脑 | десктоп, десктопный, компьютер, настольный
app, application, program, client | 应用, 应用程序, 程序, 客户端 | приложение, программа, клиент
installer, packaging, package, bundle, distribute | 安装包, 打包, 分发 | установщик, упаковка, упаковывать, пакет, сборка, дистрибутив
build, compile, compiler, assemble, make | 构建, 编译, 编译器 | сборка, собирать, собирается, компиляция, компилировать, собран
test, testing, spec, suite, check | 测试, 用例 | тест, тестирование, проверка, тестовый
unit test, fixture, test data, seed, factory, sample | 单元测试, 测试数据, 样例, 夹具 | юнит-тест, фикстура, тестовые данные, данные для тестов
end-to-end, e2e, browser test, integration test | 端到端, 集成测试, 浏览器测试 | сквозной, интеграционный тест, е2е
lint, linter, static analysis, scan, analyzer | 静态检查, 静态分析, 检查, 扫描 | линтер, статический анализ, проверка кода, сканировать, анализатор
vulnerability, security hole, exploit, attack | 漏洞, 攻击 | уязвимость, атака, дыра
format, formatter, formatting, prettify, layout, style | 格式化, 格式, 排版 | форматирование, форматировать, форматируется, формат, форматтер
code, source, source code | 代码, 源码 | код, исходник, исходный код
type, typing, typecheck, type error | 类型, 类型检查 | тип, типизация, ошибка типов
deploy, deployment, rollout, release, ship, launch, production | 部署, 发布, 上线, 投产 | деплой, развертывание, выкатка, выкатывать, выкатываются, релиз, прод, развернуть
canary, blue-green, rolling, gradual | 灰度, 金丝雀, 蓝绿 | канареечный, постепенный
rollback, revert, undo, restore | 回滚, 撤销, 还原 | откат, откатить, вернуть
infrastructure, iac, provisioning, cloud, terraform | 基础设施, 云, 资源编排 | инфраструктура, облако, облачный
server, node, machine, instance, host | 服务器, 节点, 机器, 实例, 主机 | сервер, узел, машина, экземпляр, нода, хост
service, microservice, backend | 服务, 微服务, 后端 | сервис, микросервис, бэкенд, служба
service discovery, registry, register, lookup | 服务发现, 注册, 注册中心 | обнаружение сервисов, реестр, регистрация
load balancing, balancer, distribute, spread, traffic | 负载, 负载均衡, 均衡, 分流, 流量 | балансировка, нагрузка, балансировщик, распределять, распределяет, трафик
proxy, gateway, reverse proxy, ingress | 代理, 网关, 反向代理 | прокси, шлюз
limit, rate limit, throttle, quota, limiter, too many | 限流, 限制, 配额, 限速, 上限 | ограничение, лимит, ограничить, квота, троттлинг
cdn, edge, content delivery, static files, assets | 内容分发, 静态资源, 静态文件, 边缘 | раздача, статические файлы, статика, контент
dns, domain, hostname | 域名, 解析 | домен, днс
http, request, call, fetch, rest | 请求, 网络请求, 调用 | запрос, вызов, вызывать, обращение
response, answer, reply, result | 响应, 返回 | ответ, отклик
api, interface, endpoint, contract | 接口, 端点 | интерфейс, апи, эндпоинт, ручка
graphql, rest, rpc, grpc | 接口风格, 远程调用 | удаленный вызов
webhook, callback, hook | 回调, 钩子, 网络钩子 | вебхук, колбэк, хук, обратный вызов
sign, signature, signing, hmac, digest, forged | 签名, 签署, 摘要, 伪造 | подпись, подписывать, подписание, подписываются, поддельный
contract, agreement, document | 合同, 协议, 文件 | договор, контракт, документ
certificate, tls, ssl, https, expired | 证书, 过期 | сертификат, просроченный, истек
secret, credential, vault, key | 密钥, 机密, 凭证, 凭据 | секрет, ключ, учетные данные
password, passphrase, hash, hashing, bcrypt | 密码, 口令, 哈希 | пароль, хеш, хеширование, хешем
login, sign in, signing in, signin, log in, logged in, authentication, auth | 登录, 登陆, 认证, 鉴权, 身份验证 | вход, войти, логин, авторизация, аутентификация, вошел
token, jwt, bearer, cookie | 令牌, 凭证 | токен, куки
permission, access, authorization, role, allowed, rights, acl | 权限, 访问, 授权, 角色, 访问控制 | доступ, права, разрешение, роль, полномочия, прав
session, logged in | 会话, 登录状态 | сессия, сеанс, сессии
account, user, profile, member, customer | 账号, 账户, 用户, 客户 | аккаунт, пользователь, учетная запись, пользовательский, клиент
forgot, recover account, reset password | 忘记密码, 找回, 重置密码 | забыл пароль, сброс пароля, восстановить доступ
audit, audit log, trail, who changed | 审计, 操作记录 | аудит, журнал аудита
retention, expire, keep for, purge, delete after | 保留, 保留期, 过期, 清理 | срок хранения, хранить, удалять, очистка
delete, remove, erase, purge, drop | 删除, 移除, 清除, 清空 | удалить, удаление, удаляются, стереть, очистить
privacy, gdpr, personal data | 隐私, 个人信息 | приватность, персональные данные
log, logs, logging, journal, rotate, rotation | 日志, 轮转, 日志收集 | лог, журнал, логи, логирование, ротация
metric, metrics, monitoring, telemetry, dashboard, observability | 指标, 监控, 仪表盘, 看板, 遥测 | метрика, мониторинг, дашборд, наблюдаемость, телеметрия
trace, tracing, span, traces | 链路, 追踪, 跟踪, 链路追踪 | трассировка, трейс, проследить, отслеживание
error tracking, crash report, exception report, sentry | 错误追踪, 崩溃上报, 异常上报 | отслеживание ошибок, отчет о падении, краши
report, reporting, statement, summary | 报表, 报告, 周报, 汇总 | отчет, отчетность, сводка
export, download, dump, spreadsheet, excel, csv | 导出, 下载, 表格 | экспорт, выгрузка, выгружать, выгружаются, скачать
import, ingest, load, upload | 导入, 上传, 加载 | импорт, загрузка, загружать, импортировать
upload, uploads, attach, chunk | 上传, 分块, 附件 | загрузка, загружать, вложение, залить
file, blob, object, document | 文件, 对象, 大文件 | файл, объект, документ
object storage, bucket, blob store, s3 | 对象存储, 存储桶 | объектное хранилище, бакет, объект
image, picture, photo, thumbnail, gallery | 图片, 图像, 照片, 缩略图, 相册 | изображение, картинка, фото, миниатюра, галерея
video, clip, movie, media | 视频, 短片, 媒体 | видео, ролик, медиа
audio, sound, speech, voice, recording | 音频, 语音, 录音, 声音 | аудио, звук, речь, голос, запись
transcribe, transcription, recognize, recognition, recognise, speech to text | 转录, 识别, 转文字, 语音识别 | распознавание, распознать, расшифровка, расшифровывать
translate, translation, localization, i18n, locale, translator | 翻译, 本地化, 国际化, 译者 | перевод, локализация, переводчик, переводить, интернационализация
text, string, wording, copy | 文本, 文字, 文案, 字符串 | текст, строка, надпись
editor, rich text, wysiwyg, write | 编辑器, 富文本, 编辑 | редактор, форматированный текст, правка, редактировать
spelling, spell, typo, misspelled, spell check | 拼写, 拼写检查, 错别字 | орфография, правописание, опечатка
merge, conflict, concurrent edit, collaborate, collaborative, crdt, same time | 合并, 冲突, 协作, 同时编辑 | слияние, сливаться, конфликт, совместный, одновременно, конфликтующий
sync, synchronize, offline, replicate | 同步, 离线 | синхронизация, синхронизировать, офлайн, без сети
race, race condition, concurrency, same time, simultaneous | 竞态, 竞争, 并发, 同时 | гонка, одновременно, конкурентный, параллельно
lock, mutex, mutual exclusion, exclusive, lease | 加锁, 互斥, 锁, 分布式锁, 独占 | блокировка, мьютекс, замок, взаимное исключение
thread, goroutine, coroutine, fiber | 线程, 协程 | поток, горутина, корутина
offset, position, cursor | 偏移, 偏移量, 位置, 游标 | смещение, позиция, курсор
form, field, input, validate, validation, schema, verify | 表单, 校验, 验证, 输入, 字段 | форма, валидация, валидировать, проверка, ввод, поле
check, verify, validate, validation, verification | 检查, 校验, 验证, 核对 | проверить, проверка, проверяется, проверять, валидация, сверка
search, find, full-text, lookup, engine | 搜索, 检索, 查找, 全文 | поиск, искать, ищем, поисковый, найти
similar, similarity, vector, embedding, nearest | 相似, 相似度, 向量, 嵌入 | похожий, сходство, вектор, векторный, эмбеддинг
model, machine learning, ml, inference, training | 模型, 机器学习, 推理, 训练 | модель, машинное обучение, инференс, обучение
engine, runtime, platform | 引擎, 运行时, 平台 | движок, среда выполнения, платформа
ui, interface, user interface, gui, widget, component | 界面, 组件, 用户界面, 控件 | интерфейс, компонент, виджет, элемент
button, menu, navigation, toolbar | 按钮, 菜单, 导航 | кнопка, меню, навигация
layout, css, style, responsive, screen | 布局, 样式, 屏幕, 响应式 | верстка, макет, стиль, экран, раскладка
chart, graph, plot, diagram, draw, drawing | 图表, 绘制, 画图, 图形, 曲线 | график, диаграмма, рисовать, рисуются, отрисовка, схема
render, rendering, paint, draw | 渲染, 绘制 | рендер, рендеринг, отрисовка, рисовать
graph, node, edge, layout, arrange, vertex | 节点, 图布局, 布局, 排布, 连线 | граф, узел, ребро, раскладка, размещать, вершина
map, tile, geo, location, gis | 地图, 瓦片, 地理, 位置 | карта, тайл, геоданные, местоположение
address, geocoding, coordinates, latitude, longitude, location | 地址, 坐标, 经纬度, 地理编码 | адрес, координаты, геокодирование, широта, долгота
table, grid, row, rows, list | 表格, 列表, 行, 长列表 | таблица, список, строка, сетка
scroll, virtual scrolling, virtualization, infinite | 滚动, 虚拟滚动, 无限滚动 | прокрутка, виртуализация, скролл
pagination, paging, page through, cursor | 分页, 翻页 | пагинация, постранично, страница
onboarding, tour, tutorial, newcomer, introduction | 引导, 新手, 教程 | обучение, знакомство, тур, новичок, онбординг
a/b, experiment, variant, feature flag, toggle | 实验, 对比, 开关, 变体 | эксперимент, вариант, флаг, переключатель
feature flag, feature toggle, switch on, turn on, flag | 功能开关, 开关, 启用 | флаг, фича-флаг, включать
state, store, redux, state management | 状态, 状态管理 | состояние, стейт
dependency injection, di, wire, inject, container | 依赖注入, 注入 | внедрение зависимостей, внедрять, внедряются, связывать
dependency, package, library, module, import | 依赖, 依赖包, 软件包, 库, 模块 | зависимость, пакет, библиотека, модуль
package manager, lockfile, install, pin, resolve, version conflict | 包管理, 安装, 版本冲突, 锁定, 固定 | менеджер пакетов, установка, закрепить, конфликт версий, ставить
version, release, upgrade | 版本, 升级 | версия, выпуск, обновление
config, configuration, settings, environment variable, env, preferences | 配置, 设置, 环境变量, 配置文件 | конфигурация, настройки, конфиг, переменная окружения, настройка
monorepo, repository, workspace | 单仓库, 仓库, 工作区 | монорепозиторий, репозиторий, монорепо
container, docker, image, base image | 容器, 镜像, 基础镜像 | контейнер, образ, базовый образ
architecture, platform, arm, amd64, wrong platform | 架构, 平台 | архитектура, платформа
port, listen, listening, address already in use, occupied | 端口, 监听, 占用 | порт, слушать, занятый, занят
redirect, loop, circle, endless, infinite | 重定向, 循环, 无限, 跳转 | редирект, перенаправление, цикл, бесконечный, по кругу
null, undefined, nil, none, null pointer | 空指针, 空值, 未定义, 空引用 | нулевой, неопределенный, пустой указатель
timeout, timed out, deadline, expired | 超时, 过期 | таймаут, истекло время, время ожидания
time zone, timezone, daylight saving, utc, dst | 时区, 夏令时 | часовой пояс, летнее время, таймзона
date, day, calendar, midnight, clock | 日期, 日历, 零点, 时间 | дата, день, календарь, полночь, время
money, amount, currency, cents, price, decimal | 金额, 货币, 价格, 分钱, 钱 | деньги, сумма, валюта, копейки, цена
rounding, round, precision, float, floating point, decimal | 舍入, 精度, 浮点, 小数, 取整 | округление, точность, дробь, плавающая точка
payment, checkout, refund, charge, billing | 支付, 付款, 退款, 结账, 收款 | платеж, оплата, возврат, списание, платежный
invoice, bill, receipt | 发票, 账单, 收据 | счет, чек, квитанция
mail, email, mailer, newsletter, smtp | 邮件, 邮箱, 发信 | почта, письмо, рассылка, имейл
send, deliver, delivery, dispatch, transmit | 发送, 投递, 派送, 发出 | отправка, отправлять, отправляются, доставка, слать, шлет
duplicate, twice, double, dedupe, duplicated | 重复, 两次, 去重, 两封 | дубликат, дважды, повторный, двойной
support, help desk, customer service, support chat | 客服, 支持, 帮助 | поддержка, чат поддержки, помощь
chat, conversation, messenger | 聊天, 对话 | чат, переписка
print, printer, label, barcode | 打印, 打印机, 标签, 条码 | печать, печатать, принтер, этикетка, штрихкод
scan, scanner, barcode, qr, camera | 扫描, 扫码, 条码, 二维码, 摄像头 | сканирование, сканировать, штрихкод, камера, считывать
parcel, shipping, shipment, courier | 快递, 包裹, 运单, 发货 | посылка, накладная, отправление, доставка
serialize, serialization, protobuf, wire format, encode | 序列化, 编码, 线上格式 | сериализация, сериализовать, кодировать
parse, parser, grammar, syntax, parsing | 解析, 解析器, 语法, 句法 | парсер, разбор, разбирать, разбирается, грамматика, синтаксис, парсится
language, dsl, query language | 语言, 查询语言 | язык, язык запросов
allocator, allocation, malloc, garbage collector | 分配器, 分配, 回收 | аллокатор, выделение, выделять, сборщик мусора
library, lib, sdk, package | 库, 类库, 开发包 | библиотека, пакет
native, shared object, dll, binary | 本地库, 动态库, 原生 | нативный, разделяемая библиотека, бинарный
framework, stack, built with, written in | 框架, 技术栈 | фреймворк, стек, написан
cross-platform, multiplatform, portable | 跨平台 | кроссплатформенный, мультиплатформенный
warehouse, analytics, olap, statistics, bi | 数据仓库, 分析, 统计, 数仓 | хранилище данных, аналитика, статистика, аналитик
process, processing, handle | 处理, 加工 | обработка, обрабатывать, обрабатывается, обработать
collect, gather, ship, collection, harvest | 收集, 采集, 汇集 | сбор, собирать, собираются, доставка
provider, vendor, supplier, company, saas | 供应商, 服务商, 厂商, 渠道 | провайдер, поставщик, вендор
algorithm, method, strategy, policy | 算法, 策略, 方法 | алгоритм, стратегия, политика, метод
tool, tooling, utility | 工具, 工具链 | инструмент, утилита, тулинг
pipeline, ci, continuous integration, job, workflow | 流水线, 持续集成 | пайплайн, конвейер, непрерывная интеграция
staging, preproduction, test environment | 预发, 预发环境, 测试环境 | стейджинг, тестовое окружение, предпрод
option, flag, switch, parameter, argument | 选项, 参数, 开关 | опция, флаг, параметр, аргумент
shutdown, stop, terminate, exit, drain | 关闭, 停止, 退出, 停机 | остановка, останавливаться, завершение, выключение
startup, start, boot, launch, initialization | 启动, 开机, 初始化 | запуск, старт, запускать, инициализация
permission denied, not allowed, write access | 没有权限, 写权限 | нет прав, запись запрещена
encrypt, encryption, cipher, decrypt | 加密, 解密 | шифрование, шифровать, расшифровать
overflow, exhausted, run out, ran out, full | 溢出, 耗尽, 不足, 用完, 写满 | переполнение, кончилось, закончилось, исчерпан, нехватка
shared, sharing, folder, collaboration | 共享, 分享 | общий, поделиться, совместный
theme, dark mode, color, colour | 主题, 深色, 颜色 | тема, темный, цвет
accessibility, screen reader, a11y, keyboard | 无障碍, 屏幕阅读, 键盘 | доступность, экранный диктор, клавиатура
embedded, firmware, iot, sensor, device | 嵌入式, 固件, 物联网, 传感器 | встраиваемый, прошивка, датчик, устройство
simulation, simulate, physics, compute, computation | 模拟, 仿真, 计算 | симуляция, моделирование, вычисление, расчет
gpu, graphics card, cuda | 显卡, 图形处理器 | видеокарта
network, bandwidth, traffic, packet | 网络, 带宽, 流量 | сеть, пропускная способность, трафик, пакет
distributed, cluster, consensus, leader election | 分布式, 集群, 共识, 选主 | распределенный, кластер, консенсус, выбор лидера
partition, shard, sharding | 分片, 分区, 分库 | шардирование, партиция, раздел, шард
snapshot test, snapshot mismatch, golden | 快照测试, 快照 | снимок, снапшот
subscription, plan, tier, pricing | 订阅, 套餐, 定价 | подписка, тариф, план
inventory, stock, product, item, goods | 库存, 商品, 货物, 产品 | склад, товар, остатки, продукт
cart, basket, purchase, buy | 购物车, 购买, 下单 | корзина, покупка, купить
order, orders, purchase order | 订单, 下单 | заказ, заказы
reservation, booking, appointment, seat | 预订, 预约, 座位 | бронирование, бронь, запись, место
game, player, level, score | 游戏, 玩家, 关卡 | игра, игрок, уровень
comment, review, rating, feedback | 评论, 评价, 评分, 反馈 | комментарий, отзыв, рейтинг, оценка
tag, label, category, taxonomy | 标签, 分类, 类目 | тег, метка, категория, рубрика
approve, approval, moderation, review | 审批, 审核, 批准 | одобрение, модерация, согласование
crawler, scraper, spider, bot | 爬虫, 抓取, 机器人 | краулер, парсинг сайта, бот, паук
recommendation, ranking, suggest | 推荐, 排名 | рекомендация, ранжирование
template, templating, boilerplate | 模板, 样板 | шаблон, шаблонизатор
markdown, markup, html | 标记, 标记语言 | разметка
regular expression, regex, pattern | 正则, 正则表达式, 模式匹配 | регулярное выражение, шаблон
documentation, docs, manual, handbook | 文档, 手册, 说明 | документация, документы, руководство, справка
license, licensing, copyright | 许可, 许可证, 版权 | лицензия, лицензирование
team, reviewer, code review, pull request | 评审, 代码评审, 合并请求 | ревью, пул-реквест, мерж-реквест
icon, font, typography, emoji | 图标, 字体 | иконка, шрифт, эмодзи
animation, transition, motion | 动画, 过渡 | анимация, переход
modal, dialog, popup, overlay, tooltip | 弹窗, 对话框, 遮罩, 浮层 | диалог, окно, оверлей, попап, подсказка
drag, drop, gesture, touch | 拖拽, 拖动, 手势 | перетаскивание, жест, касание
undo, redo, history | 撤销, 重做, 历史 | отмена, повтор, история
web server, nginx, hosting | 网页服务器, 托管 | веб-сервер, хостинг
static site, website, blog, cms | 静态站点, 网站, 博客 | статический сайт, сайт, блог
fuzz, property test, random test | 模糊测试, 属性测试 | фаззинг, случайный тест
benchmark, profiling, profiler, hot path | 基准, 性能分析, 热点 | бенчмарк, профилирование, профилировщик
ownership, borrow, borrowing, lifetime | 所有权, 借用, 生命周期 | владение, заимствование, время жизни
immutable, frozen, read-only, constant | 不可变, 只读, 常量 | неизменяемый, только чтение, константа
stale, outdated, old, obsolete | 过时, 陈旧, 过期 | устаревший, протухший, старый
multi-tenant, tenant, organization | 租户, 多租户, 组织 | арендатор, мультитенантность, организация
captcha, bot protection, abuse | 验证码, 防刷 | капча, защита от ботов
two-factor, 2fa, otp, one-time | 双因素, 两步验证, 一次性 | двухфакторный, одноразовый
sso, oauth, saml, identity provider | 单点登录, 身份提供 | единый вход, провайдер идентификации
headers, cors, csrf, origin | 跨域, 请求头, 来源 | заголовки, источник, междоменный
websocket, socket, long polling | 长连接, 套接字, 长轮询 | вебсокет, сокет, длинный опрос
idle, inactive, sleep | 空闲, 闲置, 休眠 | простой, бездействие, простаивать
`
  .trim()
  .split(/\n| ; /)
