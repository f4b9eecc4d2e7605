/** @jsxImportSource ../jsx */

import { Icon } from './icon'
import { Button, Form } from './kit'
import { usePartWords } from './language'

export interface ToastProps {
  /** The finished action, such as “Marked as done.” */
  readonly text: string
  /** The language of the text if it is not that of the page. */
  readonly lang?: string | undefined
  /** The form that undoes it. */
  readonly undo?: UndoProps | undefined
}

export interface UndoProps {
  readonly action: string
  readonly csrf: string
  readonly hidden?: Readonly<Record<string, string | readonly string[]>>
  /** The undone action, for screen readers: “Undo: marked as done”. */
  readonly what: string
}

/**
 * A message that an action is done, with an Undo button. It disappears after 8 s. Without JavaScript it stays
 * until the next page. A destructive action asks first and has no Undo.
 */
export const Toast = ({ text, lang, undo }: ToastProps) => (
  <div class="toasts">
    <div class="toast" role="status" data-toast="">
      <Icon name="check" />
      <span lang={lang}>{text}</span>
      {undo && <Undo {...undo} />}
    </div>
  </div>
)

/** The button that undoes an action. */
export function Undo({ action, csrf, hidden = {}, what }: UndoProps) {
  const words = usePartWords()
  return (
    <Form action={action} csrf={csrf} hidden={hidden} label={words('undoWhat', { what })} inline>
      <Button kind="quiet">
        {words('undo')}
        <span class="unseen">: {what}</span>
      </Button>
    </Form>
  )
}
