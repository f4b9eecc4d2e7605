/** @jsxImportSource ../jsx */
import type { SeveralDone, ShownList } from '../../../contracts/list'
import type { Outcome, PageProps } from '../browser/page-props'
import { Notice } from './kit'
import { usePartWords } from './language'
import { Toast } from './toast'

type Page = Pick<PageProps<unknown>, 'path' | 'csrf' | 'outcome'>

/** The form to which the boxes of a list belong. */
const chosenForm = 'chosen-rows'

interface ChooseProps {
  /** What is sent if the row is chosen: `item` of its line. */
  readonly item: string
  /** The id of the element with the words of the row. */
  readonly describedBy: string
}

/** The box that chooses a row of a list, to act on several at once. */
export const Choose = ({ item, describedBy }: ChooseProps) => (
  <input
    type="checkbox"
    name="chosen"
    value={item}
    form={chosenForm}
    aria-label={usePartWords()('choose')}
    aria-describedby={describedBy}
    data-choose=""
  />
)

/** The acts for the chosen rows. Each row has a box. The form is hidden until one is ticked. */
export function Several({ of: list, page }: { readonly of: ShownList; readonly page: Page }) {
  const { acts, path, search } = list
  const words = usePartWords()
  const [first] = acts
  if (!first) return null
  return (
    <form
      id={chosenForm}
      method="post"
      action={`${path}/several-${first.name}`}
      class="several"
      aria-label={words('actOnChosen')}
      data-several=""
    >
      <input type="hidden" name="csrf" value={page.csrf} />
      <input type="hidden" name="back" value={search === '' ? path : `${path}?${search}`} />
      <label>
        <input type="checkbox" data-choose-all="" /> {words('chooseAll')}
      </label>
      {acts.map(({ name, words: label, key }) => (
        <span key={name} data-key={key ?? undefined}>
          <button type="submit" class="button plain" formaction={`${path}/several-${name}`}>
            {label}
          </button>
        </span>
      ))}
    </form>
  )
}

/** Whether the outcome is that of an act on several rows, or of what took it back. */
export const isOfSeveral = (outcome: Outcome | null): boolean =>
  outcome !== null && /^(?:several|undo)-/.test(outcome.action)

/** What an act did with the chosen rows, with one Undo, and why it left others as they were. */
export function ChosenSaid({ path, csrf, outcome }: Page) {
  const words = usePartWords()
  if (!outcome || !isOfSeveral(outcome)) return null
  if (!outcome.ok)
    return (
      <Notice tone="bad" title={words('nothingChanged')}>
        {outcome.faults?.chosen === 'Choose at least one.'
          ? words('chooseOne')
          : (outcome.faults?.chosen ?? outcome.fault)}
      </Notice>
    )
  const { text, refused, undo } = outcome.shown as SeveralDone
  return (
    <>
      {refused.length > 0 && (
        <Notice tone="warn" title={words(text === '' ? 'nothingChanged' : 'someNotChanged')}>
          <ul>
            {refused.map((why) => (
              <li key={why}>{why}</li>
            ))}
          </ul>
        </Notice>
      )}
      {text !== '' && (
        <Toast
          text={text}
          undo={
            undo
              ? {
                  action: `${path}/${undo.name}`,
                  csrf,
                  what: text,
                  hidden: { chosen: undo.items, back: path },
                }
              : undefined
          }
        />
      )}
    </>
  )
}
