/** @jsxImportSource renown/web */
import {
  Button,
  Card,
  Facts,
  Form,
  formatNumber,
  Head,
  Moment,
  Notice,
  type PageProps,
  Row,
  StateWord,
  Toast,
} from 'renown/web'
import { LookList } from './look-list'
import { PreviewPanel } from './preview-panel'
import type { ShownPreview } from './shown-preview'
import { Subnav } from './subnav'
import { TrackerFields } from './tracker-form'
import type { StoredTracker, TrackerData } from './tracker-page'
import { usePreview } from './use-preview'

type Props = PageProps<TrackerData>
type Shown = { readonly form: Record<string, string | string[]>; readonly preview: ShownPreview }

/** One tracker: its keywords with a preview while people type, its sources, and what dismissals taught it. */
export default function TrackerPage(props: Props) {
  const { data } = props
  const { tracker } = data
  return (
    <>
      <Head title={tracker?.name ?? 'New tracker'}>
        {tracker === null ? (
          'Say which words to look for. Renown searches public posts and shows what it finds.'
        ) : (
          <a href={`/app/mentions?${new URLSearchParams({ tracker: tracker.id })}`}>Its mentions</a>
        )}
      </Head>
      <Subnav path="/app/mentions/tracker" />
      <Said {...props} />
      {data.is_unknown && (
        <Notice tone="warn" title="There is no such tracker in this workspace">
          You can create one here.
        </Notice>
      )}
      {tracker !== null && <State {...props} of={tracker} />}
      {tracker !== null && <Learned {...props} of={tracker} />}
      {data.may_change && (tracker !== null || data.locations.length > 0) ? (
        <Editor {...props} />
      ) : (
        <Kept data={data} />
      )}
    </>
  )
}

const undone = { exclude_word: 'exclude', ignore_word: 'ignore' } as const

/** The notice of the last action. An excluded or ignored word can be undone. */
function Said({ data: { tracker, word }, notice, csrf, path, search, outcome }: Props) {
  if (outcome && !outcome.ok && !['begin', 'save'].includes(outcome.action))
    return (
      <Notice tone="bad" title="Nothing was changed">
        {outcome.fault}
      </Notice>
    )
  if (notice === null) return null
  const done = new URLSearchParams(search).get('done') ?? ''
  const act = undone[done as keyof typeof undone]
  if (act === undefined || tracker === null || word === null) return <Toast text={notice} />
  const hidden = { ...hiddenOf(tracker), word, undo: 'yes' }
  return <Toast text={notice} undo={{ action: `${path}/${act}`, csrf, hidden, what: notice }} />
}

const hiddenOf = ({ id }: Pick<StoredTracker, 'id'>) => ({
  id,
  back: `/app/mentions/tracker?${new URLSearchParams({ tracker: id })}`,
})

const states = {
  active: ['good', 'Active'],
  paused: ['plain', 'Paused'],
  archived: ['plain', 'Archived'],
} as const

function State({ of: tracker, data, path, csrf, workspace }: Props & { readonly of: StoredTracker }) {
  const [tone, words] = states[tracker.state]
  const act = (name: string, label: string) => (
    <Form action={`${path}/${name}`} csrf={csrf} hidden={hiddenOf(tracker)} label={label} inline>
      <Button kind="plain">{label}</Button>
    </Form>
  )
  return (
    <Card title="Search">
      <Facts
        of={[
          [
            'State',
            <StateWord key="state" tone={tone}>
              {words}
            </StateWord>,
          ],
          ['Mentions', formatNumber(tracker.mentions)],
          ...(tracker.state === 'active' ? times(tracker) : []),
        ]}
      />
      {tracker.state === 'active' &&
        (workspace.is_demo ? (
          <p class="hint">Demo: nothing is searched.</p>
        ) : (
          <LookList of={tracker.looks} />
        ))}
      {data.may_change && (
        <Row>
          {tracker.state === 'active' ? act('pause', 'Pause tracker') : act('resume', 'Resume tracker')}
          {tracker.state !== 'archived' && act('archive', 'Archive tracker')}
        </Row>
      )}
    </Card>
  )
}

const times = ({ last_run_at, next_run_at, looks }: StoredTracker) => {
  if (last_run_at === null) {
    const isLooking = looks.some(({ state }) => state === 'starts' || state === 'looking')
    return [['Last look', isLooking ? 'Looking now' : 'None has worked yet'] as const]
  }
  return [
    ['Last look', <Moment key="last" at={last_run_at} />] as const,
    ['Next look', <Moment key="next" at={next_run_at ?? undefined} />] as const,
  ]
}

/** Words that mostly occur in dismissed mentions. Each choice can be undone. */
function Learned({ of: tracker, data, path, csrf }: Props & { readonly of: StoredTracker }) {
  const { suggested, ignored } = tracker
  if (suggested.length === 0 && ignored.length === 0) return null
  const act = (name: string, word: string, label: string, undo: 'yes' | 'no' = 'no') =>
    data.may_change && (
      <Form
        action={`${path}/${name}`}
        csrf={csrf}
        hidden={{ ...hiddenOf(tracker), word, undo }}
        label={`${label}: ${word}`}
        inline
      >
        <Button kind={name === 'exclude' ? 'plain' : 'quiet'}>{label}</Button>
      </Form>
    )
  return (
    <Card
      title="What your dismissals teach"
      about="These words lower the relevance of new mentions. Exclude a word to find no more posts with it."
    >
      <ul class="learned">
        {suggested.map(({ word, sentence }) => (
          <li key={word}>
            <bdi>{sentence}</bdi>
            {act('exclude', word, `Exclude “${word}”`)}
            {act('ignore', word, 'Ignore it')}
          </li>
        ))}
        {ignored.map((word) => (
          <li key={word}>
            <span>
              “<bdi>{word}</bdi>” does not count.
            </span>
            {act('ignore', word, 'Count it again', 'yes')}
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** The form with the preview beside it. */
function Editor(props: Props) {
  const { data, outcome, csrf, path } = props
  const { tracker } = data
  const shown = outcome?.ok ? (outcome.shown as Shown | undefined) : undefined
  const isSaving = outcome?.action === 'begin' || outcome?.action === 'save'
  const failed = isSaving && !outcome.ok ? outcome : null
  const values = failed?.values ?? shown?.form ?? { ...data.form }
  const live = usePreview(`${path}/preview`, csrf, shown?.preview ?? data.preview)
  return (
    <div class="tracker-editor" onInput={live.typed}>
      <TrackerFields
        action={`${path}/${tracker === null ? 'begin' : 'save'}`}
        preview={`${path}/preview`}
        csrf={csrf}
        hidden={tracker === null ? { back: path } : { ...hiddenOf(tracker), seen: tracker.seen }}
        values={values}
        faults={failed?.faults ?? {}}
        fault={failed ? (failed.fault ?? '') : null}
        sources={data.sources}
        locations={tracker === null ? data.locations : []}
      />
      <PreviewPanel preview={live.preview} isOld={live.isOld} fault={live.fault} />
    </div>
  )
}

/** A tracker as a member sees it, and in a demo. */
function Kept({ data: { tracker, form, may_change, preview } }: { readonly data: TrackerData }) {
  if (may_change)
    return (
      <Notice title="Create a location first">
        Posts are searched for a location, and this workspace has none of its own.{' '}
        <a href="/app/locations">Locations</a>
      </Notice>
    )
  if (tracker === null)
    return <Notice>Only owners of the agency create trackers. A demo stays as it is.</Notice>
  const lines = (text: string) => <bdi>{text === '' ? 'None' : text.split('\n').join(' · ')}</bdi>
  return (
    <>
      <Card title="What it looks for" about="Owners of the agency change trackers. A demo stays as it is.">
        <Facts
          of={[
            ['Keywords', lines(form.keywords)],
            ['Excluded', lines(form.exclude)],
            ['Required', lines(form.required)],
            ['Languages', form.languages || 'All'],
          ]}
        />
      </Card>
      <PreviewPanel preview={preview} isOld={false} fault={null} />
    </>
  )
}
