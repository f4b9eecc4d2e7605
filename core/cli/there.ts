import type { AnswerPart } from '../product/answer-parts'
import type { LineScreen } from '../product/serve-deps'
import { configOf } from './config-of'
import { CommandError, connect, type Link } from './link'
import { isLocal } from './local-words'
import { startNotice } from './print/notice'
import { report } from './print/report'
import type { Terminal } from './print/terminal'

/** The result of a command line: its exit code, or whether a product runs that could not take it. */
export type LineResult = { readonly code: number } | { readonly isRunning: boolean }

/** Has a command line run inside the running product, if there is one. Loads no plugins. */
export async function runThere(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  screen: Terminal,
): Promise<LineResult> {
  const dataDir = folderOf(env)
  if (dataDir === null) return { isRunning: false }
  const notice = startNotice(screen)
  const { terminal } = notice
  try {
    const link = await connect(dataDir, (told) => show(told, terminal))
    if (!link || isLocal(words)) return { isRunning: link !== null }
    const byNpx = env.npm_config_user_agent?.startsWith('npm/') ?? false
    const { outIsTerminal, errIsTerminal, columns } = terminal
    const code = await run(link, words, {
      outIsTerminal,
      errIsTerminal,
      columns: Number.isFinite(columns) ? columns : null,
      byNpx,
      dataDir,
    })
    return code === null ? { isRunning: true } : { code }
  } catch (error) {
    return { code: report(error, terminal, words.includes('--json')) }
  } finally {
    notice.end()
  }
}

/** Returns the exit code, or null if the product does not run command lines. */
async function run(link: Link, words: readonly string[], screen: LineScreen): Promise<number | null> {
  try {
    const { code } = await link.post<{ code: number | null }>('/line', { words, screen })
    return code
  } catch (error) {
    if (error instanceof CommandError && error.code === 'not_found') return null
    throw error
  }
}

function show(told: AnswerPart, terminal: Terminal): void {
  if ('out' in told) terminal.out(told.out)
  else if ('err' in told) terminal.err(told.err)
  else if ('working' in told && told.working.doing !== null) terminal.doing?.(told.working.doing)
}

/** Returns the data folder. Null if a setting is wrong: then the command says so, with all wrong ones. */
function folderOf(env: Readonly<Record<string, string | undefined>>): string | null {
  try {
    return configOf(env).RENOWN_DATA_DIR
  } catch {
    return null
  }
}
