/** The languages in which histories are kept and questions are asked. */
export const languages = ['en', 'zh', 'ru'] as const
export type Language = (typeof languages)[number]

/** The same thing in each of them. */
export type Spoken = Readonly<Record<Language, string>>
/** Several ways to say it in each. */
export type Ways = Readonly<Record<Language, readonly string[]>>

/** Fills `{name}` from `values`; an unknown one stays as it is. */
export const filled = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
