/** @jsxImportSource ../jsx */
import { Button, Form } from '../kit'
import { Icon } from './icon'

export interface ToastProps {
  /** The finished action, such as “Marked as done.” */
  readonly text: string
  /** The form that undoes it. */
  readonly undo?: UndoProps
}

export interface UndoProps {
  readonly action: string
  readonly csrf: string
  readonly hidden?: Readonly<Record<string, string>>
  /** The undone action, for screen readers: “Undo: marked as done”. */
  readonly what: string
}

/**
 * A message that an action is done, with an Undo button. It disappears after 8 s. Without JavaScript it stays
 * until the next page. A destructive action asks first and has no Undo.
 */
export const Toast = ({ text, undo }: ToastProps) => (
  <div class="toasts">
    <div class="toast" role="status" data-toast="">
      <Icon name="check" />
      <span>{text}</span>
      {undo && <Undo {...undo} />}
    </div>
  </div>
)

/** The button that undoes an action. */
export const Undo = ({ action, csrf, hidden = {}, what }: UndoProps) => (
  <Form action={action} csrf={csrf} hidden={hidden} label={`Undo: ${what}`} inline>
    <Button kind="quiet">
      Undo<span class="unseen">: {what}</span>
    </Button>
  </Form>
)
