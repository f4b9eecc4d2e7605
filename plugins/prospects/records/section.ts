import { oneLine } from 'renown'

/** Something that an audit could not find out, and why. */
export interface UnknownFact {
  readonly what: string
  readonly reason: string
}

/** One part of an audit: the findings, their method and time, and what is unknown. */
export interface Section extends Readonly<Record<string, unknown>> {
  readonly status: 'known' | 'partial' | 'unknown'
  readonly method: string
  readonly looked_at: string
  readonly unknown: readonly UnknownFact[]
  /** From 0 to 100. Absent if too little is known. */
  readonly score?: number
}

interface Found {
  readonly method: string
  readonly at: Date
  /** Null if nothing is known. */
  readonly facts: Readonly<Record<string, unknown>> | null
  readonly unknown?: readonly UnknownFact[]
  readonly score?: number | null
}

/** Creates a part. Unknown facts make it partial. Without any fact it is unknown. */
export function section({ method, at, facts, unknown = [], score = null }: Found): Section {
  const status = facts === null ? 'unknown' : unknown.length > 0 ? 'partial' : 'known'
  return {
    status,
    method,
    looked_at: at.toISOString(),
    unknown,
    ...(score === null ? {} : { score: Math.round(Math.min(100, Math.max(0, score))) }),
    ...facts,
  }
}

/** Returns an address without data that a server may have added about its visitor, such as the visitor's IP address. */
export function shownUrl({ protocol, host, hostname, pathname }: URL): string {
  const isAddress = /^\[|^\d+(?:\.\d+){3}$/.test(hostname)
  return oneLine(`${protocol}//${isAddress ? '(an IP address)' : host}${pathname}`, 300)
}
