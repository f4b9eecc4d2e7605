import type { Dns } from '../../core/contracts/outbound'

/** A DNS whose records a test writes, and which tells what it was asked. */
export interface StandInResolver extends Dns {
  readonly asked: string[]
  /** The addresses of a name; a list of lists answers one after another, the last one for good. */
  setAddresses(name: string, ...answers: readonly (readonly string[])[]): void
  /** The texts of a name, or why they cannot be had; several answer one after another, the last one for good. */
  setTxt(name: string, ...answers: readonly (readonly string[] | Error)[]): void
}

export function standInResolver(): StandInResolver {
  const addresses = new Map<string, (readonly string[])[]>()
  const txt = new Map<string, (readonly string[] | Error)[]>()
  const asked: string[] = []
  return {
    asked,
    setAddresses: (name, ...answers) => void addresses.set(name, [...answers]),
    setTxt: (name, ...answers) => void txt.set(name, [...answers]),
    async addresses(name) {
      asked.push(name)
      const answers = addresses.get(name) ?? []
      return [...((answers.length > 1 ? answers.shift() : answers[0]) ?? [])]
    },
    async txt(name) {
      asked.push(name)
      const answers = txt.get(name) ?? []
      const found = (answers.length > 1 ? answers.shift() : answers[0]) ?? []
      if (found instanceof Error) throw found
      return [...found]
    },
  }
}
