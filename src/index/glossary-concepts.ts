/** Developers' words that mean the same: English and its abbreviations | Chinese | Russian. Kept by hand. A semicolon or a line's end parts them. */
export const concepts: readonly string[] = `
account | 账号, 账户, 帐号 | аккаунт, учетная запись ; accept | 接受 | принять ; access, permission | 权限, 访问 | доступ, права
add | 添加, 新增, 增加 | добавить ; address | 地址 | адрес ; admin, administrator | 管理员 | администратор, админ
agent | 代理, 智能体 | агент ; alert, alarm | 告警, 警报 | оповещение, алерт ; algorithm | 算法 | алгоритм
alias | 别名 | псевдоним ; allocate, allocation | 分配 | выделение ; api, endpoint | 接口 | апи, эндпоинт
app, application | 应用 | приложение ; archive | 归档, 存档 | архив ; argument, arg, args | 参数 | аргумент
array | 数组 | массив ; assert, assertion | 断言 | утверждение ; async, asynchronous | 异步 | асинхронный
attachment | 附件 | вложение ; attack | 攻击 | атака
auth, authentication, login | 登录, 认证, 鉴权, 登陆 | авторизация, аутентификация, вход, логин
authorization | 授权 | авторизация ; avatar | 头像 | аватар ; backend | 后端 | бэкенд ; background | 后台, 背景 | фон, фоновый
backoff | 退避 | задержка ; backup | 备份 | бэкап, резервная копия ; balance, balancer | 均衡, 余额 | балансировка, баланс
barcode | 条码 | штрихкод ; base64 | 编码 | кодировка ; batch | 批量, 批次, 批处理 | пакет, пакетный
benchmark | 基准, 跑分 | бенчмарк ; bill, billing, invoice | 账单, 发票, 计费 | счет, биллинг
binary | 二进制 | бинарный, двоичный ; bind, binding | 绑定 | привязка ; block | 阻塞, 块 | блок, блокировка
boolean | 布尔 | булев ; bottleneck | 瓶颈 | узкое место ; boundary | 边界 | граница ; branch | 分支 | ветка
breakpoint | 断点 | точка останова ; browser | 浏览器 | браузер ; bucket | 桶 | бакет, корзина ; buffer | 缓冲 | буфер
bug, defect | 缺陷, 错误 | баг, дефект ; build, compile | 构建, 编译 | сборка, компиляция, собрать ; button | 按钮 | кнопка
cache, caching | 缓存 | кэш, кеш ; calendar | 日历 | календарь ; call, invoke | 调用 | вызов ; callback | 回调 | колбэк
cancel | 取消 | отмена, отменить ; captcha | 验证码 | капча ; card | 卡片 | карточка ; cart | 购物车 | корзина
cascade | 级联 | каскад ; category | 分类, 类别 | категория ; certificate, cert, tls, ssl | 证书 | сертификат
change, modify | 修改, 更改, 变更 | изменить, изменение ; channel | 通道, 频道 | канал
charset, encoding, codepage | 编码, 字符集 | кодировка ; chart | 图表 | график, диаграмма ; checkout | 结账, 检出 | оформление
checksum, hash, digest | 哈希, 校验, 散列, 摘要 | хеш, хэш, контрольная сумма ; class | 类型 | класс
clean, cleanup | 清理, 清除 | очистка ; click | 点击 | клик ; client | 客户端 | клиент ; clipboard | 剪贴板 | буфер обмена
clock, timezone, tz | 时区, 时钟 | часовой пояс, таймзона ; cloud | 云端 | облако ; cluster | 集群 | кластер
column | 字段 | столбец, колонка ; command, cmd | 命令 | команда ; comment | 注释, 评论 | комментарий ; commit | 提交 | коммит
compatible, compatibility | 兼容 | совместимость ; component | 组件 | компонент
compress, compression, gzip | 压缩 | сжатие ; concurrent, concurrency, parallel | 并发, 并行 | параллельный, конкурентность
condition | 条件 | условие
config, configuration, configure, settings, setting, conf | 配置, 设置 | настройка, конфигурация, конфиг
conflict | 冲突 | конфликт ; connect, connection | 连接 | подключение, соединение ; consistency | 一致 | согласованность
constant | 常量 | константа ; constraint | 约束 | ограничение ; constructor | 构造 | конструктор
container, docker | 容器 | контейнер, докер ; context | 上下文 | контекст
convert, conversion | 转换 | преобразование, конвертация ; cookie | 饼干 | куки ; copy | 复制, 拷贝 | копия, копировать
coroutine | 协程 | корутина ; coverage | 覆盖率 | покрытие ; crash | 崩溃 | падение, краш, падает, упал
create | 创建, 新建 | создать, создание ; cron, schedule, scheduler | 定时, 调度 | расписание, планировщик
currency | 货币, 币种 | валюта ; cursor | 游标, 光标 | курсор ; customer | 客户 | клиент, покупатель ; daemon | 守护 | демон
dashboard | 仪表, 看板 | дашборд, панель ; data | 数据 | данные ; database, db | 数据库 | база данных, бд ; date | 日期 | дата
deadlock | 死锁 | взаимоблокировка, дедлок ; debounce | 防抖 | дебаунс ; debug, debugging | 调试 | отладка
decision, decide | 决定, 决策 | решение, решили ; decode, decoder | 解码 | декодирование ; decrypt | 解密 | расшифровка
default | 默认 | по умолчанию ; delay, latency | 延迟 | задержка ; delete, remove | 删除, 移除 | удалить, удаление
delivery | 投递, 配送 | доставка ; dependency, dependencies, deps | 依赖 | зависимость
deploy, deployment | 部署 | деплой, развертывание ; deprecated | 弃用, 废弃 | устаревший
deserialize | 反序列化 | десериализация ; dialog, modal, popup | 弹窗, 对话框 | диалог, модальное окно
directory, dir, folder | 目录, 文件夹 | каталог, папка, директория ; disable | 禁用 | отключить ; discount | 折扣 | скидка
disk | 磁盘 | диск ; display | 显示 | отображение ; docs, documentation, document | 文档 | документация, документ
domain | 域名 | домен ; download | 下载 | скачать, загрузка ; driver | 驱动 | драйвер
duplicate, dedupe | 重复, 去重 | дубликат, дубли ; edit | 编辑 | редактировать ; editor | 编辑器 | редактор
element | 元素 | элемент ; email, mail | 邮件, 邮箱 | почта, письмо ; empty | 为空, 空的 | пустой ; enable | 启用 | включить
encrypt, encryption | 加密 | шифрование ; engine | 引擎 | движок ; enum | 枚举 | перечисление
environment, env | 环境, 环境变量 | окружение, среда, переменная окружения ; error | 错误, 报错 | ошибка ; event | 事件 | событие
exception | 异常 | исключение ; execute, execution, run | 执行, 运行 | выполнить, запустить, выполнение ; exit | 退出 | выход
expire, expired, expiry, ttl | 过期, 有效期 | истек, срок действия ; export | 导出 | экспорт, выгрузка
expression | 表达式 | выражение ; extension, plugin | 插件, 扩展 | плагин, расширение
fail, failure, failed | 失败 | сбой, провал, не удалось ; fallback | 降级, 回退, 兜底 | запасной вариант
favorite | 收藏 | избранное ; feature | 功能, 特性 | фича, функция ; field | 字段 | поле ; file | 文件 | файл
filter | 过滤, 筛选 | фильтр ; fix | 修复, 解决 | исправить, починить, исправление ; flaky | 不稳定 | нестабильный
flow, process | 流程 | процесс ; font | 字体 | шрифт ; format | 格式 | формат ; form | 表单 | форма
framework | 框架 | фреймворк ; frontend | 前端 | фронтенд ; function, func, fn | 函数 | функция
garbage, gc | 垃圾回收 | сборщик мусора ; gateway | 网关 | шлюз ; generate, generator | 生成 | генерация, генератор
gradient | 梯度 | градиент ; graph | 图谱 | граф ; group | 分组 | группа ; handle, handler | 处理, 处理器 | обработчик, обработка
header | 请求头, 头部 | заголовок ; heap | 堆内存 | куча ; heartbeat | 心跳 | хартбит ; history | 历史 | история ; hook | 钩子 | хук
host | 主机 | хост ; icon | 图标 | иконка ; idempotent, idempotency | 幂等 | идемпотентность
image, picture | 图片, 图像 | изображение, картинка ; implement, implementation, impl | 实现 | реализация, реализовать
import | 导入 | импорт ; index | 索引 | индекс ; inherit, inheritance | 继承 | наследование
init, initialize, initialization | 初始化 | инициализация ; input | 输入 | ввод ; insert | 插入 | вставка
install, installation | 安装 | установка, установить ; instance | 实例 | экземпляр ; integer, int | 整数 | целое
integration | 集成 | интеграция ; interface | 接口, 界面 | интерфейс
internationalization, i18n, locale, translation | 国际化, 本地化, 翻译 | локализация, перевод ; interrupt | 中断 | прерывание
interval | 间隔 | интервал ; inventory, stock | 库存 | склад, остатки ; issue, problem | 问题 | проблема
iterate, iteration, iterator | 迭代, 遍历 | итерация ; job, task | 任务, 作业 | задача, задание ; join | 关联 | соединение
kernel | 内核 | ядро ; keyboard | 键盘 | клавиатура ; key | 密钥, 键值 | ключ ; kubernetes, k8s | 编排 | кубернетес
label | 标签 | метка ; layer | 图层, 分层 | слой ; layout | 布局 | верстка, макет ; leak | 泄漏, 泄露 | утечка
length | 长度 | длина ; level | 级别 | уровень ; library, lib | 类库 | библиотека ; license | 许可 | лицензия
limit, limiter, throttle | 限制, 限流, 上限 | ограничение, лимит ; link, url | 链接 | ссылка ; lint, linter | 检查 | линтер
list | 列表 | список ; listener | 监听 | слушатель ; load, loading | 加载 | загрузка, нагрузка ; local | 本地 | локальный
lock, mutex | 加锁, 锁定, 互斥 | блокировка, мьютекс ; log, logging, logs | 日志 | лог, журнал, логирование ; loop | 循环 | цикл
map, mapping | 映射 | отображение, сопоставление ; markdown | 文档 | разметка ; memory, mem, ram | 内存 | память
menu | 菜单 | меню ; merge | 合并 | слияние, мерж, смержить ; message, msg | 消息, 信息 | сообщение ; method | 方法 | метод
metric, metrics | 指标 | метрика ; middleware | 中间件 | промежуточное ; migrate, migration | 迁移 | миграция
mock, stub | 模拟 | мок, заглушка ; model | 模型 | модель ; module | 模块 | модуль ; monitor, monitoring | 监控 | мониторинг
mount | 挂载 | монтирование ; multithreading | 多线程 | многопоточность ; name, naming | 名称, 命名 | имя, название
namespace | 命名空间 | пространство имен ; navigation | 导航 | навигация ; network | 网络 | сеть ; node | 节点 | узел, нода
notification, notify | 通知 | уведомление ; null, none, nil | 空值, 空指针 | пустое значение ; number | 数字 | число
object | 对象 | объект ; offline | 离线 | офлайн ; offset | 偏移 | смещение ; online | 在线, 上线 | онлайн
operation | 操作 | операция ; optimize, optimization | 优化 | оптимизация ; option | 选项 | опция, параметр
order | 订单, 顺序 | заказ, порядок ; output | 输出 | вывод ; overflow | 溢出 | переполнение
overwrite, override | 覆盖 | перезаписать, переопределить ; owner | 所有者 | владелец ; package, pkg | 软件包, 打包 | пакет
page | 页面 | страница ; pagination, paging | 分页 | пагинация ; panel | 面板 | панель
parameter, param, params | 参数 | параметр ; parse, parser, parsing | 解析 | парсер, парсинг, разбор
partition | 分区 | раздел, партиция ; password, passwd | 密码 | пароль ; patch | 补丁 | патч ; path | 路径 | путь
payment, pay | 支付, 付款 | оплата, платеж ; performance, perf | 性能 | производительность
persistence, persist | 持久化 | сохранение ; phone | 手机, 电话 | телефон ; pipeline, ci | 流水线 | пайплайн, конвейер
pixel | 像素 | пиксель ; placeholder | 占位 | заполнитель ; platform | 平台 | платформа ; pointer | 指针 | указатель
policy | 策略 | политика ; poll, polling | 轮询 | опрос ; pool | 池化, 连接池 | пул ; port | 端口 | порт
precision | 精度 | точность ; prefix | 前缀 | префикс ; preview | 预览 | предпросмотр ; price | 价格 | цена
print | 打印 | печать ; priority | 优先级 | приоритет ; privacy | 隐私 | приватность ; private | 私有 | приватный
process | 进程 | процесс ; production, prod | 生产环境, 线上 | продакшен, прод ; profile | 个人资料 | профиль
progress | 进度 | прогресс ; project | 项目, 工程 | проект ; prompt | 提示词, 提示 | промпт ; property | 属性 | свойство
protocol | 协议 | протокол ; proxy | 代理 | прокси ; publish, release | 发布 | релиз, публикация, выпуск
query | 查询 | запрос ; queue | 队列 | очередь ; quota | 配额 | квота ; race | 竞态, 竞争 | гонка ; random | 随机 | случайный
range | 范围 | диапазон ; rate | 速率, 频率 | частота ; read | 读取 | чтение, читать ; recommend | 推荐 | рекомендация
recover, recovery, restore | 恢复 | восстановление ; recursive, recursion | 递归 | рекурсия
redirect | 重定向, 跳转 | редирект, перенаправление ; refactor, refactoring | 重构 | рефакторинг ; reference | 引用 | ссылка
refresh | 刷新 | обновление ; refund | 退款 | возврат ; regex, regexp | 正则 | регулярное выражение, регулярка
register, registration, signup | 注册 | регистрация ; regression | 回归 | регрессия ; reject | 拒绝 | отклонить
relation | 关系 | связь ; remote | 远程 | удаленный ; render, rendering | 渲染 | рендер, отрисовка
replace | 替换 | заменить, замена ; replica, replication | 副本, 复制 | реплика, репликация ; report | 报告, 报表 | отчет
repository, repo | 仓库 | репозиторий ; request | 请求 | запрос ; reset | 重置 | сброс ; resource | 资源 | ресурс
response, reply | 响应, 回复 | ответ ; restart, reboot | 重启 | перезапуск ; result | 结果 | результат
retry, retries | 重试 | повтор, повторная попытка, ретрай ; return | 返回 | возврат ; review | 评审, 审查 | ревью
role | 角色 | роль ; rollback, revert | 回滚, 撤销 | откат, откатить ; root | 根目录 | корень
rounding, round | 四舍五入, 取整 | округление ; route, router, routing | 路由 | маршрут, роутер ; row | 行数 | строка
rule | 规则 | правило ; sandbox | 沙箱 | песочница ; save | 保存 | сохранить ; schema | 模式, 结构 | схема
scope | 作用域 | область видимости ; screen | 屏幕 | экран ; screenshot | 截图 | скриншот ; script | 脚本 | скрипт
scroll | 滚动 | прокрутка ; search | 搜索, 检索 | поиск ; secret, credential | 密钥, 凭证 | секрет
security | 安全 | безопасность ; selector | 选择器 | селектор ; send | 发送 | отправить, отправка ; sensor | 传感器 | датчик
sequence | 序列 | последовательность ; serialize, serialization | 序列化 | сериализация ; server | 服务器, 服务端 | сервер
service | 服务 | сервис, служба ; session | 会话 | сессия ; shard, sharding | 分片 | шард ; share | 分享, 共享 | поделиться
shell | 终端 | оболочка ; signature, sign | 签名 | подпись ; slow | 很慢, 变慢, 太慢 | медленно ; snapshot | 快照 | снимок
socket | 套接字 | сокет ; sort, sorting | 排序 | сортировка ; source | 源码, 来源 | источник, исходник ; speed | 速度 | скорость
stack | 堆栈, 栈帧 | стек ; startup, start | 启动 | запуск, старт ; state, status | 状态 | состояние, статус
statistics, stats | 统计 | статистика ; step | 步骤 | шаг ; stop | 停止 | остановить ; storage, store | 存储 | хранилище
stream, streaming | 流式 | поток, стрим ; string | 字符串 | строка ; style, css | 样式 | стиль ; submit | 提交 | отправить
subscribe, subscription | 订阅 | подписка ; success | 成功 | успех ; suffix | 后缀 | суффикс ; switch | 切换 | переключить
sync, synchronize, synchronization | 同步 | синхронизация ; syntax | 语法 | синтаксис ; system | 系统 | система
table | 表格, 数据表 | таблица ; template | 模板 | шаблон ; tenant | 租户 | арендатор
test, tests, testing | 测试 | тест, тестирование ; text | 文本 | текст ; theme | 主题 | тема ; thread | 线程 | поток
threshold | 阈值 | порог ; timeout | 超时 | таймаут, тайм-аут ; timer | 定时器, 计时 | таймер
timestamp | 时间戳 | временная метка ; time | 时间 | время ; token | 令牌 | токен ; tool | 工具 | инструмент
tooltip | 提示 | подсказка ; traffic | 流量 | трафик ; transaction | 事务, 交易 | транзакция
transfer | 转账, 传输 | перевод, передача ; tree | 树形 | дерево ; trigger | 触发 | триггер ; type, typing | 类型 | тип
uninstall | 卸载 | удаление ; unique | 唯一 | уникальный ; unit | 单元 | модульный
update, upgrade | 更新, 升级 | обновить, обновление ; upload | 上传 | загрузить, выгрузка ; user | 用户 | пользователь, юзер
validate, validation, verify | 校验, 验证 | валидация, проверка ; value | 数值, 取值 | значение
variable, var | 变量 | переменная ; vector | 向量 | вектор ; version | 版本 | версия ; video | 视频 | видео
view | 视图 | представление ; virtual | 虚拟 | виртуальный ; vulnerability | 漏洞 | уязвимость ; wait | 等待 | ожидание
warning, warn | 警告 | предупреждение ; watch, watcher | 监视, 监听 | наблюдение ; webhook | 回调 | вебхук
website, site | 网站, 站点 | сайт ; window | 窗口 | окно ; worker | 工作线程 | воркер ; workflow | 工作流 | рабочий процесс
workspace | 工作区 | рабочая область ; write | 写入 | запись, писать
map, maps | 地图 | карта ; tile, tiles | 瓦片 | тайл ; thumbnail | 缩略图 | миниатюра, превью
provider, vendor, supplier | 供应商, 渠道, 服务商 | провайдер, поставщик ; eviction, evict | 淘汰, 驱逐 | вытеснение
track, tracking | 追踪, 跟踪 | отслеживание ; collect, collection | 收集, 采集 | сбор, собирать
money, amount | 金额, 款项 | деньги, сумма ; primary key | 主键 | первичный ключ ; architecture | 架构 | архитектура
realtime, live | 实时 | реальное время ; push | 推送 | пуш ; monorepo | 单仓库 | монорепозиторий
reload | 重新加载 | перезагрузка ; borrow | 借用 | заимствование ; ring, circular | 环形 | кольцевой
chunk | 分块 | кусок, чанк ; staging | 预发 | стейджинг ; compiler | 编译器 | компилятор ; undefined | 未定义 | неопределенный
refuse, refused, denied | 拒绝 | отказ, отклонен ; image | 镜像 | образ ; storage, persist | 存储, 储存 | хранение, хранить
session, sessions | 会话 | сессия, сессий ; mail, email | 邮件 | почта ; hash, hashing | 哈希, 散列 | хеширование, хешировать
compression, compress | 压缩 | сжатие, сжимать ; search | 搜索 | поисковый
mismatch, inconsistent | 不一致, 不匹配 | расхождение, несоответствие ; unstable, flaky | 不稳定 | нестабильный
locked | 被锁 | заблокированный ; missing | 缺失, 找不到 | отсутствующий, не хватает ; memory, oom | 内存 | память
shortage, exhausted | 不足, 耗尽 | нехватка ; heap | 堆 | куча ; hang, freeze | 卡住, 卡死 | зависание, завис
leak | 泄漏 | утечка ; spin, retry loop | 自旋 | зацикливание ; alignment, align | 对齐 | выравнивание
animation | 动画 | анимация ; approve, approval | 审批, 批准 | одобрение, согласование ; audit | 审计 | аудит
booking, reservation | 预订, 预约 | бронирование ; charge, fee | 收费, 费用 | плата, комиссия
comparison, compare | 比较, 对比 | сравнение ; coupon, voucher | 优惠券 | купон ; delivery, shipping | 发货, 配送 | доставка
feed | 动态, 信息流 | лента ; invite, invitation | 邀请 | приглашение ; ledger | 账本 | реестр
locale, language | 语言, 区域 | язык, локаль ; merge conflict | 合并冲突 | конфликт слияния ; quote, quotation | 报价 | смета
rank, ranking | 排名, 排序 | ранжирование ; reminder | 提醒 | напоминание ; schedule | 排期, 日程 | расписание
sidebar | 侧边栏 | боковая панель ; tax, vat | 税, 税率 | налог ; throughput | 吞吐 | пропускная способность
warehouse | 仓储, 仓库 | склад ; config, configuration | 配置 | конфигурация ; end-to-end, e2e | 端到端 | сквозной
support | 支持 | поддержка
`
  .trim()
  .split(/\n| ; /)
