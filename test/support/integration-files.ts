import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AgentRow, agents } from '../../ingest/data/agents'

const root = join(import.meta.dir, '../..')

/**
 * Words that most names of agents contain, and signs of agents that the registry does not have yet. `CUBOT` is a
 * brand of phones.
 */
const signs = [
  '(?<!cu)bot',
  'crawl',
  'spider',
  'agent',
  'fetch',
  '-user',
  'gpt',
  'claude',
  'compatible;',
  '\\+http',
]

/** Every name by which the ingest knows an agent in a user agent. */
export const countedNames = (rows: readonly AgentRow[] = agents): string[] =>
  rows
    .filter(({ class: kind }) => kind === 'ai' || kind === 'search_engine')
    .flatMap(({ name, aliases }) => [name, ...aliases])

/**
 * The pattern by which an integration selects the requests that it reports, without regard to case. It has the same
 * meaning in JavaScript, Python, Ruby and PHP.
 */
export function agentPattern(rows: readonly AgentRow[] = agents): string {
  const sign = new RegExp(signs.join('|'))
  const others = [...new Set(countedNames(rows).map((name) => name.toLowerCase()))].filter(
    (name) => !sign.test(name),
  )
  const shortest = others.filter((name) => !others.some((other) => other !== name && name.includes(other)))
  return `(?:${[...signs, ...shortest.sort().map(escaped)].join('|')})`
}

const escaped = (text: string) => text.replace(/[^\w\s-]/g, '\\$&')

/** The pattern as a file has it: up to the delimiter of its language. */
const written = /\(\?:\(\?<!cu\)bot[^\n]*\)(?=\/i|["'])/

/** The integrations and the set-up pages with the pattern of the registry. `bun run docs` writes them. */
export function integrationFiles(): ReadonlyMap<string, string> {
  const paths = [
    ...new Bun.Glob('integrations/**/*.{cjs,js,mjs,ts,py,rb,php}').scanSync({ cwd: root }),
    ...new Bun.Glob('plugins/traffic/wordpress/renown/*.php').scanSync({ cwd: root }),
    ...new Bun.Glob('plugins/traffic/senders/*.md').scanSync({ cwd: root }),
  ].sort()
  const files = new Map<string, string>()
  for (const path of paths) {
    const text = readFileSync(join(root, path), 'utf8')
    const whole = path.endsWith('.md') ? withFiles(text, files) : text.replace(written, () => agentPattern())
    if (path.endsWith('.md') ? whole.includes(fileMark) : written.test(text)) files.set(path, whole)
  }
  return files
}

const fileMark = ' integrations/'
/** A block of code that shows a whole file: its path follows the language. */
const fileBlock = /^```(\w+) (integrations\/\S+)\n[\s\S]*?^```$/gm

const withFiles = (page: string, files: ReadonlyMap<string, string>) =>
  page.replace(fileBlock, (_, language: string, path: string) => {
    const text = files.get(path) ?? readFileSync(join(root, path), 'utf8')
    return `\`\`\`${language} ${path}\n${text.trimEnd()}\n\`\`\``
  })
