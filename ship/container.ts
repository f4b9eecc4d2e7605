import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseJson } from 'renown/contracts'
import type { Cut } from './tail'

/** Returns the log file of a running or stopped container of Docker, by its name or the beginning of its id. */
export function containerLog(wanted: string, root = '/var/lib/docker/containers'): string {
  const found = readdirSync(root).flatMap((id) => {
    const name = nameOf(join(root, id, 'config.v2.json'))
    const path = join(root, id, `${id}-json.log`)
    const isIt = name === wanted || (wanted.length >= 8 && id.startsWith(wanted))
    const at = isIt ? statSync(path, { throwIfNoEntry: false })?.mtimeMs : undefined
    return at === undefined ? [] : [{ path, at }]
  })
  // A container that was made again has the name of the one before for a moment.
  const [newest] = found.toSorted((a, b) => b.at - a.at)
  if (newest) return newest.path
  throw new Error(
    `No container ${wanted} with a json-file log in ${root}. Renown reads these files as root; other log drivers have none.`,
  )
}

function nameOf(path: string): string | null {
  try {
    const { Name } = parseJson(readFileSync(path, 'utf8')) as { Name?: unknown }
    return typeof Name === 'string' ? Name.replace(/^\//, '') : null
  } catch {
    return null
  }
}

/** Cuts a container's log after the last record that ends a line of its program. Docker splits long lines. */
export const afterLastRecord: Cut = (bytes) => {
  for (let end = bytes.lastIndexOf(10) + 1; end > 0; ) {
    const start = end < 2 ? 0 : bytes.lastIndexOf(10, end - 2) + 1
    if (recordOf(bytes.subarray(start, end).toString()).endsWith('\n')) return end
    end = start
  }
  return 0
}

/** Returns what the program in a container wrote. */
export function programOutput(bytes: Buffer): Uint8Array {
  const records = bytes.toString().split('\n')
  return Buffer.from(records.map(recordOf).join(''))
}

/** Records that are not JSON are what they are: the log may be one that Docker did not write. */
function recordOf(line: string): string {
  if (line.trim() === '') return ''
  try {
    const { log } = parseJson(line) as { log?: unknown }
    if (typeof log === 'string') return log
  } catch {
    // Not Docker's.
  }
  return `${line}\n`
}
