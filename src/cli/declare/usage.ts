import { Option } from 'commander'
import type { UsageOptions } from '../usage.ts'
import { jsonOption, wholeNumber, type Declaring } from './declaring.ts'

export function declareUsage({ program, context, run }: Declaring): void {
  program
    .command('usage')
    .description('tokens and money: what sessions took, deleted ones included, forgotten ones not')
    .addOption(
      new Option('--by <what>', 'group by')
        .choices(['day', 'project', 'model', 'harness', 'tool', 'session'])
        .default('day'),
    )
    .option('--since <date>', 'from this day on: 2026-09-27, yesterday, "last week", 3d, 2w')
    .option('--until <date>', 'up to the end of this day')
    .option('--no-cost', 'tokens only')
    .option('--limit <n>', 'groups at most: the latest days, else the largest (default in a table: 50)', wholeNumber(1))
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nA cost is what the agent recorded; where it recorded none, it is estimated from list prices and marked "~".\n"≥": not all of it is known. "?": the model’s price isn’t known. Days are local.',
    )
    .action((options: UsageOptions) => run(async () => (await import('../usage.ts')).usageCommand(options, context)))
}
