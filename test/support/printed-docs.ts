import { type ErrorCode, errorTable } from '../../core/contracts/errors'
import { settings } from '../../core/contracts/settings'

/** The documents that are printed from the code: their place and their text. `bun run docs` writes them. */
export function printedDocs(): ReadonlyMap<string, string> {
  return new Map([
    ['docs/CONFIG.md', configPage()],
    ['docs/ERRORS.md', errorsPage()],
  ])
}

const printed = '<!-- Printed from the code by `bun run docs`. Change the code, not this page. -->\n'

function configPage(): string {
  const rows = Object.entries(settings).map(([name, { schema, fallback, description }]) => [
    `\`${name}\``,
    kindOf(schema),
    fallback ? `\`${fallback}\`` : '',
    description,
  ])
  return `${printed}
# Settings

Every setting is an environment variable. The product starts without any of them.

${table(['Setting', 'Takes', 'Default', 'What it does'], rows)}`
}

function errorsPage(): string {
  const rows = Object.entries(errorTable).map(([code, { status, title, meaning }]) => [
    `\`${code satisfies string as ErrorCode}\``,
    String(status),
    title,
    meaning,
  ])
  return `${printed}
# Errors

Every refusal is \`application/problem+json\` with \`type\`, \`title\`, \`status\`, \`detail\`, \`instance\`, \`code\` and
\`request_id\`; where single inputs are at fault, \`errors\` names each with its \`pointer\`, \`parameter\` or \`header\`.
\`code\` is one of this closed list.

${table(['Code', 'Status', 'Title', 'Meaning'], rows)}`
}

/** What a setting takes, told from its schema. */
function kindOf(schema: object): string {
  if ('options' in schema) return (schema.options as string[]).map((option) => `\`${option}\``).join(' or ')
  if (!('pipe' in schema)) return 'text'
  const regex = (schema.pipe as { type: string; message?: string }[]).find((step) => step.type === 'regex')
  return regex?.message ?? 'comma-separated list'
}

/** A Markdown table; bars inside cells are escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return `${[line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')}\n`
}
