import { statSync } from 'node:fs'
import { gapOf } from './gaps'
import type { Batch, FilePosition, LineSource } from './position'
import {
  changedAt,
  closeFile,
  isCopyOf,
  isSame,
  keyOf,
  lastLineEnd,
  type OpenFile,
  openFile,
  openSiblings,
  printOf,
} from './siblings'
import type { ShipState } from './state'
import { afterLastLine, type Cut, Tail } from './tail'

/** How a file is followed. */
export interface FollowOptions {
  readonly path: string
  readonly state: ShipState
  /** Whether a file that was never sent is sent from its beginning. Default: from its end. */
  readonly fromStart: boolean
  readonly warn: (message: string) => void
  /** What is sent of the bytes of the file. Default: the bytes. */
  readonly unwrap?: (bytes: Buffer) => Uint8Array
  readonly cut?: Cut
  readonly now: () => Date
}

/** The programs that write a log go on writing into a renamed file for so long without a break. */
const quietMs = 10_000

/** Follows a log through rotation, by renaming or by copying and truncating. */
export class FollowedFile implements LineSource {
  readonly name: string
  readonly #options: FollowOptions
  readonly #cut: Cut
  /** The oldest first. The last one is at the path. */
  #tails: Tail[] = []
  #isRestored = false
  /** Whether it was followed before. A file that appears then is sent from its beginning. */
  #isKnown = false
  /** The files beside the path that are no news. Null before the first look. */
  #seen: ReadonlySet<string> | null = null

  constructor(options: FollowOptions) {
    this.name = `file ${options.path}`
    this.#options = options
    this.#cut = options.cut ?? afterLastLine
  }

  async next(): Promise<Batch | null> {
    if (!this.#isRestored) this.#restore()
    this.#look()
    for (const tail of [...this.#tails]) {
      const isOld = tail !== this.#tails.at(-1) || !this.#isAtPath(tail)
      const isQuiet = isOld && this.#now() - tail.changedAt() > quietMs
      const part = tail.read({ last: isQuiet })
      // It was emptied while it was read: the next look finds where its lines are now.
      if (part && !tail.isSame()) return this.next()
      if (part) return this.#batchOf(tail, part)
      if (isQuiet && tail.isAtEnd()) this.#drop(tail)
    }
    return null
  }

  async close(): Promise<void> {
    for (const tail of this.#tails) tail.close()
    this.#tails = []
  }

  #now(): number {
    return this.#options.now().getTime()
  }

  #isAtPath({ file }: Tail): boolean {
    const at = statSync(this.#options.path, { throwIfNoEntry: false })
    return at !== undefined && keyOf(at) === file.key
  }

  #batchOf(tail: Tail, { start, end, bytes }: { start: number; end: number; bytes: Buffer }): Batch {
    return {
      key: `${tail.position.id}:${start}-${end}`,
      body: this.#options.unwrap?.(bytes) ?? bytes,
      begin: () => {
        tail.begin(end)
        this.#save()
      },
      accepted: () => {
        tail.accept(end)
        this.#save()
      },
    }
  }

  #save(): void {
    const positions = this.#tails.map(({ position }) => position)
    this.#options.state.write(this.name, positions)
  }

  #drop(tail: Tail): void {
    this.#tails = this.#tails.filter((one) => one !== tail)
    tail.close()
    this.#save()
  }

  /** Notices that the file was emptied, that another one is at its path, and which files appeared beside it. */
  #look(): void {
    const current = this.#tails.at(-1)
    if (current && !current.isSame()) this.#findCopy(current)
    const file = openFile(this.#options.path)
    const last = this.#tails.at(-1)
    if (file && last && isFile(file, last.file)) closeFile(file)
    else if (file) this.#add(file, this.#isKnown || this.#options.fromStart)
    else if (this.#seen === null) this.#options.warn(`${this.#options.path} does not exist yet.`)
    this.#lookBeside()
  }

  /** Adds the files beside the path that were rotated before anybody saw them at the path. */
  #lookBeside(): void {
    const isFirst = this.#seen === null
    const seen = this.#seen ?? new Set<string>()
    const present = new Set<string>()
    for (const file of openSiblings(this.#options.path)) {
      const isTail = this.#tails.some((tail) => isFile(tail.file, file))
      // A copy is added when the file that it is a copy of was emptied, and not before.
      const isCopy = this.#tails.some((tail) => isCopyOf(file, tail.file))
      const isNew = !isFirst && !isTail && !seen.has(file.key)
      if (!isNew || !isCopy) present.add(file.key)
      if (isNew && !isCopy) this.#add(file, true, { isBeside: true })
      else closeFile(file)
    }
    this.#seen = present
  }

  /** Goes on in the copy that was made before a file was emptied. */
  #findCopy(emptied: Tail): void {
    this.#tails = this.#tails.filter((one) => one !== emptied)
    const copy = this.#openCopy(emptied.position)
    if (copy) this.#tails.push(new Tail(copy, emptied.position, this.#cut))
    this.#add(emptied.file, true)
  }

  /** Opens the file that has the content of a position now. */
  #openCopy(position: FilePosition): OpenFile | null {
    const siblings = openSiblings(this.#options.path)
    const found = siblings.find(({ handle }) => position.print.length > 0 && isSame(handle, position)) ?? null
    for (const sibling of siblings) if (sibling !== found) closeFile(sibling)
    // It is looked at so often that nothing else was written to it since.
    if (!found) this.#warnOfGap(position, false)
    return found
  }

  #warnOfGap(position: FilePosition, isCurrent: boolean): void {
    const gap = gapOf(this.#options.path, position, isCurrent)
    if (gap !== null) this.#options.warn(gap)
  }

  #add(file: OpenFile, fromStart: boolean, { isBeside = false } = {}): void {
    const { device, inode, handle } = file
    const offset = fromStart ? 0 : lastLineEnd(handle)
    const id = crypto.randomUUID()
    const position = { id, device, inode, offset, print: printOf(handle, offset) }
    const tail = new Tail(file, position, this.#cut)
    this.#tails.splice(isBeside ? Math.max(0, this.#tails.length - 1) : this.#tails.length, 0, tail)
    this.#isKnown = true
    this.#save()
  }

  /** Finds the files of the last run: at the path, renamed or copied. Those that were rotated since follow. */
  #restore(): void {
    this.#isRestored = true
    const positions = this.#options.state.read<FilePosition[]>(this.name)
    this.#isKnown = positions !== null
    if (!positions || positions.length === 0) return
    const candidates = openSiblings(this.#options.path)
    const atPath = openFile(this.#options.path)
    if (atPath) candidates.push(atPath)
    for (const position of positions) {
      const renamed = candidates.find((file) => isInode(file, position) && isSame(file.handle, position))
      const copy = () => candidates.find((file) => position.print.length > 0 && isSame(file.handle, position))
      const found = renamed ?? copy()
      if (!found) {
        this.#warnOfGap(position, position === positions.at(-1))
        continue
      }
      candidates.splice(candidates.indexOf(found), 1)
      this.#tails.push(new Tail(found, position, this.#cut))
    }
    // Files that changed later were rotated since then. The next look adds them, and the one at the path.
    const since = Math.max(0, ...this.#tails.map((tail) => tail.changedAt()))
    const older = candidates.filter((file) => this.#tails.length === 0 || changedAt(file) <= since)
    this.#seen = new Set(older.filter((file) => file !== atPath).map(({ key }) => key))
    for (const file of candidates) closeFile(file)
    this.#save()
  }
}

const isInode = (file: OpenFile, { device, inode }: FilePosition) =>
  file.device === device && file.inode === inode
const isFile = (a: OpenFile, b: OpenFile) => a.key === b.key
