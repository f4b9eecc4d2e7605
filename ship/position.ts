/** A part of a file that was read, and its key. The same part has the same key in every process. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** How far a file was sent. Offsets are bytes. */
export interface FilePosition {
  /** A random name of the file, or of its content since it was last emptied. */
  readonly id: string
  readonly device: number
  readonly inode: number
  /** Up to here every line was accepted. */
  readonly offset: number
  /** Recognizes the content: SHA-256 of its first bytes. */
  readonly print: { readonly length: number; readonly hash: string }
  /** How many bytes the file had at the last look. */
  readonly seen?: number | undefined
  /** What is being sent. Nobody knows whether it was accepted, so it is sent again with the same key. */
  readonly pending?: number | undefined
}

/** How far the journal was sent. */
export interface JournalPosition {
  readonly id: string
  /** The cursor of the last accepted entry. Empty at the beginning. */
  readonly cursor: string
  readonly sent: number
  readonly pending?: { readonly until: string; readonly entries: number } | undefined
}

/** Some lines that are sent together. */
export interface Batch {
  /** The name of the batch. A batch that is sent again has the same name and the same body. */
  readonly key: string
  readonly body: Uint8Array
  /** Records that the batch is being sent. */
  begin(): void
  /** Records that it was accepted. */
  accepted(): void
}

/** Where lines come from. */
export interface LineSource {
  readonly name: string
  /** Returns the next lines, or null if there are none now. Throws if it cannot be read. */
  next(): Promise<Batch | null>
  close(): Promise<void>
}

/** A batch has at most so many bytes, and so does a line. */
export const batchBytesMax = 1_048_576
