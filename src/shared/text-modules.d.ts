/** A file's text, taken into the bundle: `import text from './skill.md?raw'`. */
declare module '*?raw' {
  const text: string
  export default text
}
