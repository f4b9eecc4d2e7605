import table from './assistants.json'

/** One assistant that refers people to websites, with every trace it leaves. */
export interface Assistant {
  readonly name: string
  /**
   * Hosts whose visitors the assistant referred, subdomains included. The first is the key when a trace has no host.
   */
  readonly hosts: readonly string[]
  /**
   * Parts of hosts that also do other things: `host/path`, or `host?query`. The host alone does not count as an
   * assistant.
   */
  readonly parts?: readonly string[]
  /** Values of `utm_source` in addition to the hosts. */
  readonly utm?: readonly string[]
  /** Android packages, seen as `android-app://<package>/`. */
  readonly android?: readonly string[]
  /** Product tokens of the app's own browser in the user agent. */
  readonly markers?: readonly string[]
}

/**
 * Assistants whose visits are counted. Google Search is missing, because its AI answers look like its links. Whole
 * browsers (Atlas, Comet) have no marker here, because typed addresses would count.
 */
export const assistants: readonly Assistant[] = table
