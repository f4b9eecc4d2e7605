/** One connection to the stream, as the stand-in serves it. */
export interface JetstreamPlan {
  /** Texts that are sent before the events. */
  readonly before?: readonly string[]
  /** Changes what is sent. */
  readonly change?: (events: readonly string[]) => readonly string[]
  /** Closes the connection after this number of messages. */
  readonly cutAfter?: number
  /** Sends the events from this instant on, whatever the cursor is. */
  readonly from?: number
}

/** An event of Jetstream. */
export interface JetstreamEvent {
  readonly us: number
  readonly rkey?: string
  readonly text?: string
  readonly operation?: 'create' | 'update' | 'delete'
}

const did = 'did:plc:abcdefghijklmnop'

/** Returns the id of a post of the stand-in. */
export const jetstreamId = (rkey: string): string => `at://${did}/app.bsky.feed.post/${rkey}`

/** Returns an event as Jetstream sends it. */
export const writtenEvent = ({ us, rkey, text = '', operation = 'create' }: JetstreamEvent): string => {
  if (rkey === undefined) return JSON.stringify({ did, time_us: us, kind: 'identity', identity: { did } })
  const createdAt = new Date(us / 1_000).toISOString()
  const record = { $type: 'app.bsky.feed.post', text, createdAt, langs: ['en'] }
  const commit = { rev: '3l', operation, collection: 'app.bsky.feed.post', rkey }
  return JSON.stringify({
    did,
    time_us: us,
    kind: 'commit',
    commit: operation === 'delete' ? commit : { ...commit, record, cid: 'bafy' },
  })
}

/** A server on this machine that replays events from a cursor, as Jetstream does. */
export function startJetstream() {
  const state = { events: [] as JetstreamEvent[], plan: {} as JetstreamPlan, cursors: [] as number[] }
  const server = Bun.serve<{ readonly cursor: number }>({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request, self) {
      const { searchParams } = new URL(request.url)
      const data = { cursor: Number(searchParams.get('cursor')) }
      const isAsked = searchParams.get('wantedCollections') === 'app.bsky.feed.post'
      return isAsked && self.upgrade(request, { data }) ? undefined : new Response('no', { status: 400 })
    },
    websocket: {
      open(socket) {
        const { before = [], change = (all) => all, cutAfter = Number.POSITIVE_INFINITY, from } = state.plan
        state.cursors.push(socket.data.cursor)
        const wanted = state.events.filter(({ us }) => us >= (from ?? socket.data.cursor))
        const messages = [...before, ...change(wanted.map(writtenEvent))]
        for (const message of messages.slice(0, cutAfter)) socket.send(message)
        if (messages.length >= cutAfter) socket.close()
      },
      message() {},
    },
  })
  return { state, url: `ws://127.0.0.1:${server.port}/subscribe`, stop: () => server.stop(true) }
}
