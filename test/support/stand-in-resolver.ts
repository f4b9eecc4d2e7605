import type { Dns } from '../../core/contracts/outbound'

/** A DNS whose records a test writes, and which tells what it was asked. */
export interface StandInResolver extends Dns {
  readonly asked: string[]
  /** The addresses of a name; a list of lists answers one after another, the last one for good. */
  setAddresses(name: string, ...answers: readonly (readonly string[])[]): void
  setTxt(name: string, texts: readonly string[] | Error): void
}

export function standInResolver(): StandInResolver {
  const addresses = new Map<string, (readonly string[])[]>()
  const txt = new Map<string, readonly string[] | Error>()
  const asked: string[] = []
  return {
    asked,
    setAddresses: (name, ...answers) => void addresses.set(name, [...answers]),
    setTxt: (name, texts) => void txt.set(name, texts),
    async addresses(name) {
      asked.push(name)
      const answers = addresses.get(name) ?? []
      return [...((answers.length > 1 ? answers.shift() : answers[0]) ?? [])]
    },
    async txt(name) {
      asked.push(name)
      const found = txt.get(name) ?? []
      if (found instanceof Error) throw found
      return [...found]
    },
  }
}
