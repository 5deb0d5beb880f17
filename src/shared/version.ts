declare const __DEJA_VERSION__: string | undefined

/** The package's version; `0.0.0` where it runs unbundled (in tests). */
export const VERSION: string = typeof __DEJA_VERSION__ === 'undefined' ? '0.0.0' : __DEJA_VERSION__
