/** @jsxImportSource renown/web */
import { formatCount, Highlight, StateWord } from 'renown/web'
import { channelNames } from '../records/channel-names'
import type { MentionLine } from './mention-lines'
import { Posted } from './posted'

const lang = (tag: string) => (tag === 'und' ? undefined : tag)

/** One mention in the list. */
export function Line({ of: line }: { readonly of: MentionLine }) {
  return (
    <>
      <span class={line.is_read ? 'mention-line' : 'mention-line unread'}>
        <bdi class="who">{line.by || 'Unknown author'}</bdi>
        {!line.is_read && <span class="unseen">unread</span>}
        <span class="source-mark">{channelNames[line.source]}</span>
        <span class="when">{line.at !== '' && <Posted at={line.at} foundAt={line.found_at} still />}</span>
      </span>
      {line.text === '' ? (
        <span class="mention-words silent">{line.is_removed ? 'The text was deleted' : 'No text'}</span>
      ) : (
        <span class="mention-words" dir="auto" lang={lang(line.language)}>
          <Highlight text={line.text} marks={line.marks} />
        </span>
      )}
      <span class="mention-foot">
        <bdi class="place">{line.tracker}</bdi>
        {line.copies > 0 && <span>{`+ ${formatCount(line.copies, 'copy', 'copies')}`}</span>}
        {line.sentiment !== null && line.sentiment !== 'neutral' && (
          <span>{sentimentWords[line.sentiment]}</span>
        )}
        {line.has_draft && <span>Draft</span>}
        <LineState of={line} />
      </span>
    </>
  )
}

/** The words of a sentiment. */
export const sentimentWords = {
  positive: 'Positive',
  neutral: 'Neutral',
  negative: 'Negative',
  mixed: 'Mixed',
} as const

function LineState({ of: { status, is_lead, relevance } }: { readonly of: MentionLine }) {
  if (status === 'saved') return <StateWord tone="good">Saved</StateWord>
  if (status === 'replied') return <StateWord tone="good">Answered</StateWord>
  if (status === 'dismissed') return <StateWord icon="circle-minus">Dismissed</StateWord>
  if (is_lead)
    return (
      <StateWord tone="warn" icon="user">
        Lead
      </StateWord>
    )
  if (relevance === 'irrelevant') return <StateWord icon="circle-minus">Not relevant</StateWord>
  if (relevance === 'maybe') return <StateWord icon="circle-question-mark">Maybe</StateWord>
  return null
}

/** A sample for an empty list. */
export const sample: MentionLine = {
  id: 'sample',
  by: 'leeds_foodie',
  text: 'Can anyone recommend a bakery in Leeds?',
  marks: [[23, 29]],
  language: 'en',
  source: 'reddit',
  tracker: 'Bakery · Leeds',
  at: '',
  found_at: '',
  is_read: false,
  is_lead: true,
  has_draft: false,
  is_removed: false,
  status: 'new',
  relevance: 'relevant',
  sentiment: null,
  copies: 0,
}
