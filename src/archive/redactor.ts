/** The redaction rules as the archive needs them. Handed in from above: the rules live with ingest. */
export interface Redactor {
  /** Rows that went through an older version are redacted again before anything of them is shown. */
  readonly version: number
  readonly redact: (text: string) => string
}
