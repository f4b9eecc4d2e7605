import * as v from 'valibot'
import { defineEvent, definePlugin } from '../../core/kit'
import { openSqlite } from '../../core/stores/documents/sqlite'
import { type Gate, startGate } from './harness'
import { quietLog } from './quiet-log'

const noted = defineEvent({
  name: 'note.made',
  summary: 'A note was made.',
  data: v.strictObject({ n: v.number() }),
  example: { n: 1 },
})
const lost = defineEvent({ ...noted, name: 'note.lost', summary: 'A note was lost.' })
const notes = definePlugin({ name: 'noting', renown: '^1.0.0', events: [noted, lost] })

/** The types of the events: even numbers have the first, odd ones the second. */
export const polledTypes = [noted, lost] as const

/** Opens a gate on a store in a file. */
export async function openPolled(path: string): Promise<Gate> {
  const now = () => new Date()
  const documents = await openSqlite({ path, now, log: quietLog })
  return startGate({ documents, plugins: [notes] })
}

/** Publishes events, several at once. A repeated event has the same key, as the work of a killed process is repeated. */
export async function publishAll(
  { owner }: Pick<Gate, 'owner'>,
  workspace_id: string,
  last: number,
): Promise<void> {
  const atOnce = 4
  for (let begin = 0; begin < last; begin += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, last - begin) }, (_, at) => begin + at)
    await Promise.all(
      some.map((n) =>
        owner.publish(n % 2 === 0 ? noted : lost, { workspace_id, key: String(n), data: { n } }),
      ),
    )
  }
}

/** As a process of its own that answers and publishes until it is killed. Arguments: store, workspace, events. */
if (import.meta.main) {
  const [, , path = '', workspaceId = '', last = '0'] = process.argv
  const gate = await openPolled(path)
  console.log(gate.listen().port)
  await publishAll(gate, workspaceId, Number(last))
}
