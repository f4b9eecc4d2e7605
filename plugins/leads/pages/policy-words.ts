import type { SystemReads } from 'renown'
import { channelNames } from '../records/channel-names'
import type { Channel } from '../records/channels'
import { policyOf } from '../sources/policy'
import { leadsSource, type SourcePolicy } from '../sources/source'

/** What people must know about the source of a mention. */
export interface SourceNote {
  /** The source that found the mention. Null if it is unknown or not installed. */
  readonly label: string | null
  readonly channel: string
  readonly may_reply: boolean
  /** What the terms forbid or demand, each as a sentence. */
  readonly rules: readonly string[]
  /** What must stand beside the post. Null: nothing. */
  readonly attribution: string | null
  readonly terms_url: string | null
}

/** Returns what the terms of a source say about a mention. */
export function sourceNote(
  ctx: Pick<SystemReads, 'extensions'>,
  { found_by, source }: { readonly found_by?: string | undefined; readonly source: Channel },
): SourceNote {
  const channel = channelNames[source]
  const known = ctx.extensions(leadsSource).find(({ name }) => name === found_by)
  if (!known) {
    const rules = ['The source that found it is not installed, so read its terms before you reply.']
    return {
      label: null,
      channel,
      may_reply: true,
      attribution: null,
      terms_url: null,
      rules: found_by === undefined ? [] : rules,
    }
  }
  const policy = policyOf(known, source)
  return {
    label: known.label,
    channel,
    may_reply: policy.may_reply !== 'never',
    rules: ruleWords(policy),
    attribution: policy.attribution,
    terms_url: policy.terms_url,
  }
}

const ruleWords = (policy: SourcePolicy): string[] => [
  ...(policy.may_reply === 'never'
    ? ['You may not reply from here.']
    : ['Only people may reply, never a program.']),
  ...(policy.may_store_author ? [] : ['The author is not stored.']),
  ...(policy.may_link_identity ? [] : ['Posts of one author are not joined to one lead.']),
  ...(policy.may_extract_contact ? [] : ['Contact details are not read from the text.']),
  ...(policy.retention_days === null ? [] : [`The text is deleted after ${policy.retention_days} days.`]),
  ...(policy.recheck_days === null
    ? []
    : [`The post is read again within ${policy.recheck_days} days, or its text is deleted.`]),
  ...(policy.delete_with_source ? ['If its author deletes the post, its text is deleted here too.'] : []),
]
