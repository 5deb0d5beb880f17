/** The bundler takes these files in as text: the launcher is written from them. */
declare module '*.bash' {
  const text: string
  export default text
}
declare module '*.sh' {
  const text: string
  export default text
}
declare module '*/shim.cjs' {
  const text: string
  export default text
}
