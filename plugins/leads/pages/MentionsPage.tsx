/** @jsxImportSource renown/web */
import {
  ButtonLink,
  Card,
  Empty,
  Head,
  isOfSeveral,
  Listed,
  listAddress,
  Notice,
  type PageProps,
  Toast,
} from 'renown/web'
import type { MentionsData } from './load-mentions'
import { LookList } from './look-list'
import { MentionDetail } from './mention-detail'
import { mentionsPath } from './mention-forms'
import { Line, sample } from './mention-line'
import { Subnav } from './subnav'

type Props = PageProps<MentionsData>

/** Shows the mentions of the workspace: the list on the left, one mention with its reasons and reply on the right. */
export default function MentionsPage(props: Props) {
  const { data } = props
  return (
    <>
      <Head title="Mentions">Public posts that your trackers found.</Head>
      <div class="above-list">
        <Subnav path={mentionsPath} />
      </div>
      <Said {...props} />
      <Listed
        of={data.list}
        page={props}
        line={(line) => <Line of={line} />}
        detail={(mention) => <MentionDetail {...props} of={mention} />}
        start={<Nothing data={data} />}
        keys={keys}
      />
    </>
  )
}

const keys = [
  ['r', 'Write the reply'],
  ['Ctrl Enter', 'Send the reply, where an account can'],
  ['s', 'Save the mention'],
  ['x', 'Dismiss the mention'],
  ['u', 'Make the mention new again'],
] as const

/** Forms whose errors are shown beside them. */
const ownForms: readonly string[] = [
  'write',
  'generate',
  'answered',
  'reply-cancel',
  'reply-confirm',
  'reply-again',
]

/** The notice of the last action, with Undo for a decision. */
function Said({ data: { undo, list }, notice, outcome, csrf, search }: Props) {
  if (outcome && !outcome.ok && !ownForms.includes(outcome.action) && !isOfSeveral(outcome))
    return (
      <Notice tone="bad" title="Nothing was changed">
        {outcome.fault}
      </Notice>
    )
  if (notice === null) return null
  const seen = new URLSearchParams(search).get('done')
  if (undo === null || (seen !== 'saved' && seen !== 'dismissed')) return <Toast text={notice} />
  const back = listAddress(list, { mention: list.beside?.id ?? '' })
  const hidden = { mention: undo, following: '', seen, search: list.search, back }
  return <Toast text={notice} undo={{ action: `${mentionsPath}/restore`, csrf, hidden, what: notice }} />
}

function Nothing({ data }: { readonly data: MentionsData }) {
  if (data.has_trackers) return <Looking data={data} />
  return (
    <Empty
      text={
        data.may_change
          ? 'No tracker yet. Say which words to look for, and Renown searches public posts.'
          : 'No tracker yet. Ask an owner of the agency to create one.'
      }
      action={
        data.may_change && (
          <ButtonLink href="/app/mentions/tracker" kind="primary">
            Create a tracker
          </ButtonLink>
        )
      }
      sample={<Line of={sample} />}
    />
  )
}

/** From the first tracker to the first mention: which sources are being read. The page loads itself again. */
function Looking({ data: { looking } }: { readonly data: MentionsData }) {
  const isWaiting = looking.some(({ looks }) =>
    looks.some(({ state }) => ['starts', 'looking'].includes(state)),
  )
  return (
    <>
      <Empty
        text={
          looking.length === 0
            ? 'No mentions yet, and no tracker is active.'
            : isWaiting
              ? 'Looking now. The first mentions appear here in a minute.'
              : 'No mentions yet. Renown keeps looking, and new mentions appear here.'
        }
        action={<a href="/app/mentions/trackers">Trackers</a>}
        sample={<Line of={sample} />}
      />
      {looking.map((tracker) => (
        <Card
          key={tracker.id}
          title={
            <a href={`/app/mentions/tracker?${new URLSearchParams({ tracker: tracker.id })}`}>
              <bdi>{tracker.name}</bdi>
            </a>
          }
        >
          <LookList of={tracker.looks} />
        </Card>
      ))}
      {isWaiting && <div data-reload="10" />}
    </>
  )
}
