/** @jsxImportSource ../jsx */
import { iconNames } from '../../contracts/icons'
import { Button, Card, Icon, Row, Sign } from '../kit'
import { DateRange } from './date-range'
import { Diff } from './diff'
import { Empty } from './empty'
import { Evidence } from './evidence'
import { Filters } from './filters'
import { IntervalBar } from './interval-bar'
import { KeyHints } from './key-hints'
import { ListDetail } from './list-detail'
import { Quote } from './quote'
import { Sparkline } from './sparkline'
import { StateWord } from './state-word'
import { Timeline } from './timeline'
import { Undo } from './toast'

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
