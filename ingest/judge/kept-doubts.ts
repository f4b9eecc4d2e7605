import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from 'renown/contracts'
import * as v from 'valibot'
import { createListDoubts, type ListDoubts, listDoubtsSchema } from './list-doubt'
import { writeWhole } from './range-state'

/** The doubts about lists, kept in a file. */
export interface KeptDoubts extends Pick<ListDoubts, 'of' | 'has' | 'renewed'> {
  /** Records a hit. Returns whether a doubt began with it. */
  note(operator: string, isInside: boolean, at: number): boolean
  save(): void
}

const saveEveryMs = 10 * 60_000

/** Reads the doubts in a folder. They are written when one begins or ends, and now and then. */
export function keptDoubts(directory: string, log: Log): KeptDoubts {
  const path = join(directory, 'doubts.json')
  let doubts: ListDoubts | undefined
  let isChanged = false
  let savedAt = Number.NEGATIVE_INFINITY
  const known = () => (doubts ??= createListDoubts(read(path)))

  function save() {
    if (!doubts || !isChanged) return
    isChanged = false
    try {
      writeWhole(path, JSON.stringify(doubts.state()))
    } catch (error) {
      log.warn('the doubts about address lists could not be stored', { reason: String(error) })
    }
  }

  return {
    of: (operator) => known().of(operator),
    has: (operator) => known().has(operator),
    note(operator, isInside, at) {
      const isOther = known().note(operator, isInside, at)
      isChanged = true
      if (!isOther && at - savedAt < saveEveryMs) return false
      savedAt = at
      save()
      const doubt = known().of(operator)
      if (isOther) log.warn(doubt?.why ?? `The address list of ${operator} is right again`)
      return isOther && doubt !== null
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
    return v.parse(listDoubtsSchema, JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return {}
  }
}
