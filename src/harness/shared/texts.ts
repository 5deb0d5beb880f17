import command from './texts/command.md?raw'
import skill from './texts/skill.md?raw'

/** The skill that tells a model when to ask deja. `tool`: how this agent calls deja's MCP tool. */
export function skillText(tool: string): string {
  return skill.replaceAll('{{tool}}', tool)
}

/** The prompt behind `/deja`. `frontMatter`: lines between `---`, for agents that don't hand them to the model. */
export function commandText(tool: string, frontMatter: readonly string[] = []): string {
  const head = frontMatter.length > 0 ? `---\n${frontMatter.join('\n')}\n---\n\n` : ''
  return head + command.replaceAll('{{tool}}', tool)
}
