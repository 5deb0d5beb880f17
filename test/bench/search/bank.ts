/** What the planted sessions speak of. Combinations are drawn from these lists, so that every word is met in many sessions. */

const list = (text: string): string[] => text.trim().split(/\s+/)

export const nouns = list(`
  invoice parcel ledger turbine harbour pension ticket voucher warehouse courier tariff beacon orchard satellite glacier
  passport lantern reservoir telescope caravan compass quarry anchor meadow barometer chimney violin cathedral pavilion
  granary locomotive monastery tapestry vineyard windmill aquarium bakery cinema dairy embassy foundry gallery hospital
  island jetty kiosk library mansion nursery observatory palace quilt refinery stadium tannery university valley wharf`)

/** Forms of one word each; whoever asks uses another than whoever wrote. */
export const verbs =
  `migrate migrating migrated migrations|encrypt encrypting encrypted encryption|throttle throttling throttled throttles
compress compressing compressed compression|validate validating validated validation|schedule scheduling scheduled schedules
truncate truncating truncated truncation|replicate replicating replicated replication|rotate rotating rotated rotation
serialize serializing serialized serialization|choose choosing chose chosen|build building built builds|send sending sent sends
break breaking broke broken|write writing wrote written|subscribe subscribing subscribed subscribes`
    .split(/[|\n]/)
    .map(list)

export const plural = (noun: string): string =>
  noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : noun.endsWith('s') ? `${noun}es` : `${noun}s`

/** Simplified and traditional. */
export const chineseThings: readonly (readonly [string, string])[] = [
  ['调度器', '調度器'],
  ['缓存层', '緩存層'],
  ['支付网关', '支付網關'],
  ['消息队列', '消息隊列'],
  ['登录模块', '登錄模塊'],
  ['日志采集', '日誌採集'],
  ['搜索服务', '搜索服務'],
  ['订单系统', '訂單系統'],
  ['库存同步', '庫存同步'],
  ['限流组件', '限流組件'],
  ['距离计算', '距離計算'],
  ['报表导出', '報表導出'],
  ['权限校验', '權限校驗'],
  ['图片压缩', '圖片壓縮'],
  ['语音识别', '語音識別'],
  ['账单结算', '賬單結算'],
  ['数据迁移', '數據遷移'],
  ['邮件推送', '郵件推送'],
  ['监控面板', '監控面板'],
  ['优惠规则', '優惠規則'],
]
export const chineseCauses: readonly (readonly [string, string])[] = [
  ['连接池耗尽', '連接池耗盡'],
  ['时钟漂移', '時鐘漂移'],
  ['磁盘写满', '磁盤寫滿'],
  ['证书过期', '證書過期'],
  ['心跳中断', '心跳中斷'],
  ['锁竞争', '鎖競爭'],
  ['线程饥饿', '線程飢餓'],
  ['批量过大', '批量過大'],
  ['路由缺失', '路由缺失'],
  ['编码错误', '編碼錯誤'],
  ['内存不足', '內存不足'],
  ['网络分区', '網絡分區'],
  ['参数颠倒', '參數顛倒'],
  ['权重归零', '權重歸零'],
]
export const chineseWays = ['降级', '抖动', '阻塞', '溢出', '回滚', '崩溃', '卡死', '乱序']

/** Nominative, genitive, instrumental. */
export const russianNouns =
  `планировщик планировщика планировщиком|подписка подписки подпиской|миграция миграции миграцией
соединение соединения соединением|сертификат сертификата сертификатом|отчёт отчёта отчётом|склад склада складом
накладная накладной накладную|тариф тарифа тарифом|курьер курьера курьером|скидка скидки скидкой|возврат возврата возвратом
рассылка рассылки рассылкой|остаток остатка остатком|витрина витрины витриной|корзина корзины корзиной`
    .split(/[|\n]/)
    .map(list)

/** Errors; `{w}` tells one from another, `{n}` and `{h}` differ from run to run. */
export const errors = [
  "TypeError: Cannot read properties of undefined (reading '{w}')\n    at load (/tmp/run-{h}/src/{w}.ts:{n}:{n})",
  'Error: connect ECONNREFUSED 10.0.{n}.{n}:{n} while opening {w}',
  'java.lang.IllegalStateException: shard {n} of {w} is closed (0x{h})',
  "ModuleNotFoundError: No module named '{w}' (searched {n} paths)",
  'error TS2345: Argument of type {w} is not assignable, src/{w}.ts({n},{n})',
]

/** Turns that settle nothing and stand around those that do. */
export const chores = [
  ['run the tests', 'All tests pass.'],
  ['commit it', 'Committed.'],
  ['what is the state?', 'The branch is clean and the build is green.'],
  ['rename the helper', 'Renamed it in three files.'],
  ['format the code', 'Formatted; nothing else changed.'],
] as const
