/** @jsxImportSource renown/web */
import { Button, Form, type PageProps } from 'renown/web'
import { type Stage, stageNames } from '../records/stage-names'
import { boardAddress, boardPath, boardSearch } from './board-filters'
import type { BoardData } from './load-board'
import type { ShownLead } from './load-lead'
import type { ShownCard } from './shown-card'

/** Returns which stages a lead can move to, in words. */
export function movesWords(from: Stage, open: readonly Stage[], to?: Stage): string {
  const names = open.map((stage) => stageNames[stage])
  const listed = names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
  return `A lead in ${stageNames[from]} can move to ${listed}${to ? `, not to ${stageNames[to]}` : ''}.`
}

/** The props of the page and the selected lead. */
export type LeadDetailProps = PageProps<BoardData> & { readonly of: ShownLead }

type MoveProps = Pick<PageProps<BoardData>, 'data' | 'csrf'> & { readonly of: ShownCard }

/** Returns the common parts of a form about a lead. `keep` stays on the lead, otherwise the page shows the board. */
export function leadForm({ data, csrf, of: card }: MoveProps, name: string, keep = true) {
  const { asked } = data
  const search = boardSearch(asked, keep ? { lead: card.id, after: asked.after } : {})
  return {
    action: `${boardPath}/${name}`,
    csrf,
    hidden: { lead: card.id, search, back: boardAddress(search) },
  }
}

/** The menu of a card: a button for each stage that the lead may move to. */
export function MoveMenu(props: MoveProps) {
  const { data, of: card } = props
  const form = leadForm(props, 'move', false)
  const open = data.moves[card.stage]
  return (
    <details class="moves">
      <summary>
        Move<span class="unseen"> this lead</span>
      </summary>
      <Form {...form} hidden={{ ...form.hidden, was: card.stage }} label="Move to a stage" inline>
        {open
          .filter((stage) => stage !== 'lost')
          .map((stage) => (
            <Button key={stage} kind="plain" name="stage" value={stage}>
              {stageNames[stage]}
            </Button>
          ))}
        {open.includes('lost') && (
          <a class="button plain" href={`${boardAddress(boardSearch(data.asked, { lead: card.id }))}#lost`}>
            Lost…
          </a>
        )}
      </Form>
    </details>
  )
}
