import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runCli } from '../core/cli/program'
import type { Terminal } from '../core/cli/terminal'
import { builtin } from '../plugins/index'
import { printedDocs } from './support/printed-docs'

const root = join(import.meta.dir, '..')
const pages = ['*.md', 'docs/**/*.md', 'examples/*/*.md']
  .flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(root)])
  .sort()
const read = (page: string) => Bun.file(join(root, page)).text()

describe('printed documents say what the code says (mend with `bun run docs`)', () => {
  test.each([...printedDocs()])('%s', async (page, text) => {
    expect(await read(page)).toBe(text)
  })
})

describe('every path that a document names exists', () => {
  test.each(pages)('%s', async (page) => {
    const text = await read(page)
    const links = [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)].map((match) =>
      join(dirname(page), String(match[1])),
    )
    const spans = [...text.matchAll(/`([^`\n]+)`/g)].map((match) => String(match[1])).filter(isPath)
    const missing = [...links, ...spans].filter((path) => !existsSync(join(root, path)))
    expect(missing).toEqual([])
  })
})

describe('every script that a document names is one of package.json', () => {
  test.each(pages)('%s', async (page) => {
    const { scripts } = await Bun.file(join(root, 'package.json')).json()
    const named = [...(await read(page)).matchAll(/\bbun(?:@[\d.]+)? run ([a-z][\w:-]*)/g)]
    expect(named.map((match) => String(match[1])).filter((name) => !(name in scripts))).toEqual([])
  })
})

describe('every command that a document names is one of `bun renown`', () => {
  test.each(pages)('%s', async (page) => {
    const named = [...(await read(page)).matchAll(/\bbun renown ((?:[a-z]+(?![\w./-]) ?)+)/g)]
    const unknown = []
    for (const words of new Set(named.map((match) => String(match[1]).trim())))
      if (!(await usageOf(words)).startsWith(`Usage: bun renown ${words} `)) unknown.push(words)
    expect(unknown).toEqual([])
  })
})

/** The first line of a command's help; that of the group around it where there is no such command. */
async function usageOf(words: string): Promise<string> {
  let said = ''
  const hear = (text: string) => {
    said += text
  }
  const terminal: Terminal = { out: hear, err: hear, outIsTerminal: false, errIsTerminal: false, columns: 80 }
  const loadIngest = () => Promise.reject(new Error('help needs no counter'))
  await runCli(
    [...words.split(' '), '--help'],
    { builtin, loadIngest, env: {}, workingFolder: root },
    terminal,
  )
  return said
}

/** A code span that can only be a file or folder of the project; patterns and placeholders are not. */
function isPath(span: string): boolean {
  if (/[\s<>*{}()$]|…|:\/\//.test(span)) return false
  return (
    /^(core|ingest|plugins|test|docs|examples|\.ci)\//.test(span) ||
    /^[A-Z]+\.md$|^(package|tsconfig|biome|knip)\.json$|^(bunfig\.toml|lefthook\.yml|compose\.yaml|bun\.lock)$/.test(
      span,
    )
  )
}
