/** The environment as a value: nothing below the doors reads `process.env` itself. */
export type Environment = Readonly<Record<string, string | undefined>>
