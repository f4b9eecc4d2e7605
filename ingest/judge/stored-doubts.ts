import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dayMs, type Log, parseJson, type Verdict } from 'renown/contracts'
import * as v from 'valibot'
import { createListDoubts, type ListDoubts, listDoubtsSchema } from './list-doubt'
import { writeWhole } from './range-state'

/** The doubts about lists, stored in a file. */
export interface StoredDoubts extends Pick<ListDoubts, 'of' | 'has' | 'renewed'> {
  /**
   * Returns the verdict about an address. By a list in doubt, nobody is spoofed. `ts` is the time of the hit, and `at` that
   * of its arrival.
   */
  judge(verdict: Verdict, operator: string, ts: number, at: number): Verdict
  save(): void
}

export interface StoredDoubtsOptions {
  readonly directory: string
  readonly log: Log
  /** Called when a list is first doubted. */
  readonly onDoubt: () => void
}

const saveEveryMs = 10 * 60_000

/** Reads the doubts in a folder. They are written when one begins or ends, and now and then. */
export function storedDoubts({ directory, log, onDoubt }: StoredDoubtsOptions): StoredDoubts {
  const path = join(directory, 'doubts.json')
  let doubts: ListDoubts | undefined
  let isChanged = false
  let savedAt = Number.NEGATIVE_INFINITY
  const known = () => {
    doubts ??= createListDoubts(read(path))
    return doubts
  }

  function save() {
    if (!doubts || !isChanged) return
    isChanged = false
    try {
      writeWhole(path, JSON.stringify(doubts.state()))
    } catch (error) {
      log.warn('the doubts about address lists could not be stored', { reason: String(error) })
    }
  }

  function note(operator: string, isInside: boolean, at: number) {
    const isOther = known().note(operator, isInside, at)
    isChanged = true
    if (!isOther && at - savedAt < saveEveryMs) return
    savedAt = at
    save()
    if (!isOther) return
    const doubt = known().of(operator)
    log.warn(doubt?.why ?? `The address list of ${operator} is right again`)
    if (doubt) onDoubt()
  }

  return {
    of: (operator) => known().of(operator),
    has: (operator) => known().has(operator),
    judge(verdict, operator, ts, at) {
      if (verdict === 'unchecked') return verdict
      // Old lines say nothing about the list of today.
      if (at - ts < dayMs) note(operator, verdict === 'verified', at)
      return verdict === 'spoofed' && known().has(operator) ? 'unchecked' : verdict
    },
    renewed(operator) {
      if (!known().has(operator)) return
      known().renewed(operator)
      isChanged = true
      save()
    },
    save,
  }
}

function read(path: string) {
  try {
    return v.parse(listDoubtsSchema, parseJson(readFileSync(path, 'utf8')))
  } catch {
    return {}
  }
}
