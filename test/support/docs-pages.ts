import { join } from 'node:path'

/** The project's folder. */
export const docsRoot = join(import.meta.dir, '../..')

/** Every page of the documentation, from the project's folder. */
export const pages = ['*.md', 'docs/**/*.md', 'examples/*/*.md', 'conformance/*.md']
  .flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(docsRoot)])
  .sort()

/** Returns the text of a page. */
export const readPage = (page: string): Promise<string> => Bun.file(join(docsRoot, page)).text()

/** Returns the pages for authors of plugins as one text, those of the first source and of a domain among them. */
export const readPluginPages = async (): Promise<string> => {
  const paths = pages.filter((page) => page.startsWith('docs/plugin-authors/'))
  return (await Promise.all(paths.map(readPage))).join('\n')
}

/** A `bun renown` command as a page writes it. */
export interface TypedCommand {
  /** What stands before the first option or placeholder. */
  readonly words: readonly string[]
  readonly options: readonly { readonly flag: string; readonly value?: string }[]
}

/** Returns the commands that a text of the product names: \`renown …\`, and code spans that begin with a thing of the shell. */
export function commandsNamedIn(text: string, things: ReadonlySet<string>): TypedCommand[] {
  const typed = [...text.matchAll(/(?:bun |`)renown ([a-z][^`'"\n\\]*)/g)].map(([, line]) => String(line))
  const spans = [...text.matchAll(/(\\?)`([a-z][a-z-]*) ([a-z][^`\n\\]*)\\?`/g)]
    // Without the backslash, it is a template of the code.
    .filter(([, slash, thing, rest]) => things.has(String(thing)) && (slash || !rest?.includes('${')))
    .map(([, , thing, rest]) => `${thing} ${rest}`)
  // The shipper is a program of its own. It has its own tests.
  return [...typed, ...spans].flatMap(commandOf).filter(({ words }) => words[0] !== 'ship')
}

/** Returns the `bun renown` commands of a page, from code blocks and from code spans. */
export function commandsIn(page: string): TypedCommand[] {
  return snippets(page).flatMap((snippet) =>
    snippet
      .replace(/\\\n\s*/g, '')
      .split('\n')
      .flatMap((line) => [...line.matchAll(/\b(?:bun(?:@[\d.]+)? )renown (.+)/g)])
      .flatMap((match) => commandOf(String(match[1]).replace(/\s#\s.*|\s[|>]\s.*|[;&].*/, ''))),
  )
}

/** Code blocks of a shell, and code spans, which may go over a line's end. */
function snippets(page: string): string[] {
  const blocks = [...page.matchAll(/^```(?:sh|console)\b.*\n([\s\S]*?)^```/gm)].map(([, text]) =>
    String(text),
  )
  const prose = page.replace(/^```[\s\S]*?^```/gm, '')
  const spans = [...prose.matchAll(/`([^`]+)`/g)].map(([, text]) => String(text).replace(/\n\s*/g, ' '))
  return [...blocks, ...spans]
}

function commandOf(line: string): TypedCommand[] {
  const typed = (line.match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^(["'])(.*)\1$/, '$2'))
  const end = typed.findIndex((word) => !/^[a-z]+(-[a-z]+)*$/.test(word))
  const words = end === -1 ? typed : typed.slice(0, end)
  const options = typed.flatMap((word, place) => {
    const [, flag, given] = /^(--[a-z][a-z-]*)(?:=(.*))?$/.exec(word) ?? []
    const next = typed[place + 1]
    const value = given ?? (next?.startsWith('--') ? undefined : next)
    return flag === undefined ? [] : [{ flag, ...(value === undefined ? {} : { value }) }]
  })
  return words.length === 0 ? [] : [{ words, options }]
}

const hosts = String.raw`https?:\/\/(?:localhost:300[01]|renown\.example\.com|ingest\.example\.com)`
const roots = String.raw`\/(?:api|app|oauth|\.well-known|v1|visits|healthz|readyz|metrics|openapi\.json|docs)(?![\w-])[^\s"'${'`'}<>?#)|,;*]*`

/** Returns the addresses of the gateway and of the ingest that a page names, without prefixes and those that hold a placeholder. */
export function documentedPaths(page: string): string[] {
  const urls = [...page.matchAll(new RegExp(`${hosts}(\\/[^\\s"'\`?#)|,;*]*)`, 'g'))].map(([, path]) =>
    String(path),
  )
  const spans = [...page.matchAll(new RegExp(`\`(?:(?:GET|POST) )?(${roots})(?=[\`?])`, 'g'))].map(
    ([, path]) => String(path),
  )
  return [...new Set([...urls, ...spans])].filter((path) => !/[<>…$]|\/$|^\/api$/.test(path))
}
