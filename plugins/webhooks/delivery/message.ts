import type { OwnerContext } from 'renown'
import type { EventRow } from '../records/foreign'
import { Webhook, type WebhookRow } from '../records/Webhook'

/**
 * Returns the body of an event. The same for every attempt: ids, numbers and a link to the record, no texts of people.
 */
export function bodyOf({ apiUrl }: Pick<OwnerContext, 'apiUrl'>, event: EventRow): string {
  const { id, type, created_date, workspace_id, location_id, entity, entity_id, data } = event
  const url = entity && entity_id ? `${apiUrl}/api/entities/${entity}/${entity_id}` : undefined
  return JSON.stringify({
    type,
    timestamp: created_date,
    data: {
      ...data,
      event_id: id,
      workspace_id,
      ...(location_id === undefined ? {} : { location_id }),
      ...(url === undefined ? {} : { url }),
    },
  })
}

/** Returns the field that a secret of a webhook is encrypted for. */
export const sealedAt = (
  { id, workspace_id }: Pick<WebhookRow, 'id' | 'workspace_id'>,
  field: 'secret' | 'former_secret',
) => ({ entity: Webhook.name, workspace_id, id, field })

/** Returns the secrets that sign a message now: the present one, and the former one until the overlap ends. */
export function secretsOf(
  { outbound, now }: Pick<OwnerContext, 'outbound' | 'now'>,
  row: WebhookRow,
): string[] {
  const { secret, former_secret, former_until = '' } = row
  const open = outbound.secrets.open(secret, sealedAt(row, 'secret'))
  if (former_secret === undefined || former_until <= now().toISOString()) return [open]
  return [open, outbound.secrets.open(former_secret, sealedAt(row, 'former_secret'))]
}

const excerptMax = 300

/** Returns the beginning of an answer as one line, without signs that nobody can see. */
export const excerptOf = (body: Uint8Array): string =>
  new TextDecoder()
    .decode(body.subarray(0, 4 * excerptMax))
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\s]+/gu, ' ')
    .trim()
    .slice(0, excerptMax)
