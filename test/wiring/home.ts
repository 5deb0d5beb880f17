import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
  lstatSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { wiring as codebuddyWiring, workbuddyWiring } from '../../src/harness/codebuddy/wiring.ts'
import { wiring as codewhaleWiring } from '../../src/harness/codewhale/wiring.ts'
import { wiring as commandcodeWiring } from '../../src/harness/commandcode/wiring.ts'
import type { WiringContext } from '../../src/harness/wiring.ts'
import type { Environment } from '../../src/shared/environment.ts'
import { carryOut, type WiringReport } from '../../src/wiring/carry-out.ts'
import type { Direction, Wirable } from '../../src/wiring/plan.ts'

export const harnesses: Record<string, Wirable> = {
  codewhale: { id: 'codewhale', name: 'CodeWhale', wiring: codewhaleWiring },
  commandcode: { id: 'commandcode', name: 'Command Code', wiring: commandcodeWiring },
  codebuddy: { id: 'codebuddy', name: 'CodeBuddy', wiring: codebuddyWiring },
  workbuddy: { id: 'workbuddy', name: 'WorkBuddy', wiring: workbuddyWiring },
}

/** A throw-away home directory. */
export class Home {
  readonly path = mkdtempSync(join(tmpdir(), 'deja-wiring-'))
  readonly env: Environment
  bin = '/opt/deja'

  constructor(env: Environment = {}) {
    this.env = {
      HOME: this.path,
      ...Object.fromEntries(Object.entries(env).map(([key, value]) => [key, value?.replace('$HOME', this.path)])),
    }
  }

  close(): void {
    rmSync(this.path, { recursive: true, force: true })
  }

  context(): WiringContext {
    return {
      env: this.env,
      platform: 'linux',
      home: this.path,
      dataDir: join(this.path, 'data'),
      hookCommand: (harness, event) => `'${this.bin}/deja-hook' ${harness} ${event}`,
      statuslineCommand: `'${this.bin}/node' '${this.bin}/deja.js' statusline`,
      mcp: {
        command: `${this.bin}/node`,
        args: [`${this.bin}/deja.js`, 'mcp'],
        env: { DEJA_HOME: join(this.path, 'data') },
      },
      exists: existsSync,
    }
  }

  run(
    direction: Direction,
    names: string[],
    more: { dryRun?: boolean; beforeWriting?: () => Promise<void> } = {},
  ): Promise<WiringReport> {
    const targets = names.map(name => {
      const harness = harnesses[name.replace(/-auto$/, '')]
      if (!harness) throw new Error(`no harness ${name}`)
      return { harness, auto: name.endsWith('-auto') }
    })
    return carryOut({ targets, direction, context: this.context(), dryRun: false, ...more })
  }

  async install(...names: string[]): Promise<WiringReport> {
    const report = await this.run('install', names)
    if (report.refusals[0]) throw report.refusals[0]
    return report
  }

  async uninstall(...names: string[]): Promise<WiringReport> {
    const report = await this.run('uninstall', names)
    if (report.refusals[0]) throw report.refusals[0]
    return report
  }

  write(path: string, text: string, mode = 0o644): void {
    mkdirSync(dirname(join(this.path, path)), { recursive: true })
    writeFileSync(join(this.path, path), text, { mode })
  }

  text(path: string): string {
    return readFileSync(join(this.path, path), 'utf8')
  }

  json(path: string): Record<string, unknown> {
    return JSON.parse(this.text(path)) as Record<string, unknown>
  }

  /** Every file and directory outside deja's own, with kind, mode and content. */
  tree(): Record<string, string> {
    const found: Record<string, string> = {}
    const walk = (directory: string): void => {
      for (const entry of readdirSync(join(this.path, directory), { withFileTypes: true })) {
        const path = join(directory, entry.name)
        if (path === 'data') continue
        const mode = (lstatSync(join(this.path, path)).mode & 0o7777).toString(8)
        if (entry.isDirectory()) {
          found[path] = `directory ${mode}`
          walk(path)
        } else
          found[path] = entry.isSymbolicLink()
            ? `link ${readlinkSync(join(this.path, path))}`
            : `${mode} ${this.text(path)}`
      }
    }
    walk('.')
    return found
  }
}
