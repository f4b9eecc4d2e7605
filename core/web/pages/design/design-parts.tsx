/** @jsxImportSource ../../kit/jsx */

import { iconNames } from '../../../contracts/icons'
import { TimeOf } from '../../kit/browser/page-time'
import { LiveBars } from '../../kit/charts/live-bars'
import { Copyable } from '../../kit/client/copyable'
import { FailedUpdate } from '../../kit/client/failed-update'
import { LiveNotice } from '../../kit/client/live-notice'
import { OutLink, Text, Value } from '../../kit/client/untrusted'
import { DateRange } from '../../kit/parts/date-range'
import { Diff } from '../../kit/parts/diff'
import { Downloads } from '../../kit/parts/downloads'
import { Empty } from '../../kit/parts/empty'
import { Evidence } from '../../kit/parts/evidence'
import { Filters } from '../../kit/parts/filters'
import { IntervalBar } from '../../kit/parts/interval-bar'
import { KeyHints } from '../../kit/parts/key-hints'
import { Button, Card, Icon, Row, Sign } from '../../kit/parts/kit'
import { ListDetail } from '../../kit/parts/list-detail'
import { Quote } from '../../kit/parts/quote'
import { Sparkline } from '../../kit/parts/sparkline'
import { StateWord } from '../../kit/parts/state-word'
import { Timeline } from '../../kit/parts/timeline'
import { Undo } from '../../kit/parts/toast'

const path = '/app/design'
const at = '2026-03-15T12:00:00.000Z'

/** The components that pages of plugins share, one after the other. */
export const SharedParts = ({ csrf }: { readonly csrf: string }) => (
  <>
    <Icons />
    <States />
    <Lists />
    <Texts csrf={csrf} />
    <Figures />
    <Charts />
    <Updates />
  </>
)

const Icons = () => (
  <Card title="Icons and signs">
    <ul class="swatches plain">
      {iconNames.map((name) => (
        <li key={name}>
          <Icon name={name} /> <code>{name}</code>
        </li>
      ))}
    </ul>
    <Row>
      <Sign name="Source" />
      <Sign name="Engine" letters="En" />
    </Row>
  </Card>
)

const States = () => (
  <Card title="States, and what happened">
    <Row>
      <StateWord>Paused</StateWord>
      <StateWord tone="good">Published</StateWord>
      <StateWord tone="warn">Waiting</StateWord>
      <StateWord tone="bad">Failed</StateWord>
    </Row>
    <Timeline
      label="History of a reply"
      events={[
        { at, what: 'Draft written', icon: 'pencil' },
        { at, what: 'Sent to the platform', icon: 'send', tone: 'warn' },
        { at, what: 'Published', icon: 'circle-check', tone: 'good' },
      ]}
    />
  </Card>
)

const Lists = () => (
  <Card title="A list with filters and a detail">
    <Filters
      action={path}
      label="Filter reviews"
      filters={[
        { name: 'q', label: 'Text', value: '', isSearch: true },
        {
          name: 'rating',
          label: 'Rating',
          value: '1',
          options: [
            ['1', '1 star'],
            ['5', '5 stars'],
          ],
        },
      ]}
    />
    <ListDetail
      label="Reviews"
      selectedId="a"
      backHref={path}
      rows={[
        { id: 'a', href: `${path}?of=a`, children: '★ Cold soup' },
        { id: 'b', href: `${path}?of=b`, children: '★★★★★ Best bread' },
      ]}
      detail={<Quote text="Cold soup, nobody came." by="Jo P." lang="en" marks={[[0, 9]]} />}
    />
    <Empty text="All done, next look at 09:00." action={<Button kind="plain">Look now</Button>} />
    <KeyHints
      keys={[
        ['j', 'Next review'],
        ['k', 'Previous review'],
      ]}
    />
  </Card>
)

const Texts = ({ csrf }: { readonly csrf: string }) => (
  <Card title="A difference, and a way back">
    <Diff before="Dear Jo, thank you." after="Hello Jo, thank you very much." />
    <Row>
      <Undo action={path} csrf={csrf} what="marked as done" />
    </Row>
  </Card>
)

const Figures = () => (
  <Card title="Figures and what they rest on">
    <IntervalBar label="Recommended" value={0.42} low={0.37} high={0.47} />
    <Sparkline
      values={[4, 6, 5, null, 7, 9, 8]}
      label="Hits per day: 4 on the first day, 8 on the last. One day is not known."
    />
    <Evidence
      figure={<strong>42 %</strong>}
      label="Recommended"
      definition="The share of answers that name the business, with its 95 % interval."
      facts={[
        ['Answers', '160'],
        ['Interval', '37 to 47 %'],
      ]}
    />
    <DateRange
      action={path}
      from="2026-02-16"
      to="2026-03-15"
      presets={[
        { label: '7 days', href: `${path}?days=7`, isCurrent: false },
        { label: '28 days', href: `${path}?days=28`, isCurrent: true },
      ]}
    />
  </Card>
)

const days = [
  '2026-03-09',
  '2026-03-10',
  '2026-03-11',
  '2026-03-12',
  '2026-03-13',
  '2026-03-14',
  '2026-03-15',
]

const Charts = () => (
  <Card title="Days as bars, and their rows as files">
    <LiveBars
      label="Hits of AI crawlers per day"
      unit="Hits"
      days={days}
      series={[
        { name: 'Training', colour: 'c1', values: [120, 140, 90, 0, 160, 210, 80] },
        { name: 'Search', colour: 'c2', values: [40, 60, 45, 52, 70, 64, 31] },
        { name: 'Answers', colour: 'c3', values: [8, 12, 6, 9, 15, 22, 7] },
        { name: 'Other', colour: 'c4', values: [2, 0, 1, 0, 3, 1, 0] },
      ]}
      before={[100, 120, 130, 90, 110, 180, 170]}
      unfinished={1}
      height={180}
    />
    <Downloads of="reviews" label="the reviews" />
  </Card>
)

const Updates = () => (
  <TimeOf value={{ timezone: 'Europe/Berlin', now: at }}>
    <Failing />
  </TimeOf>
)

const Failing = () => (
  <Card title="Texts of others, and updates that fail">
    <p>
      <Text>{'Words of a stranger with <b>signs</b> and a name: مخبز الميناء'}</Text>
    </p>
    <OutLink href="https://example.com/a/page">A page of somebody else</OutLink>
    <Value of={{ stars: 4, texts: ['Good bread', 'Cold soup'], is_public: true, note: null }} />
    <Copyable label="the line" value={'location / {\n  access_log /var/log/hits;\n}'} />
    <FailedUpdate why="The server did not answer." isBusy={false} retry={() => undefined} />
    <FailedUpdate why="The server did not answer." isBusy={true} retry={() => undefined} />
    <LiveNotice state="lost" />
  </Card>
)
