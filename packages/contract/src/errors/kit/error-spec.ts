// What the table of errors says of each code.

export type ErrorSpec = {
  readonly status: number
  /** `responseCode` on the wire. */
  readonly responseCode?: string
  /** `responseMessage`; `{name}` is filled in. */
  readonly message: string
  readonly hint: string
  readonly retry: 'never' | 'later'
  /** It tells of something that is there already: whoever repeats a request takes it for done. */
  readonly isThere?: true
  /** OAuth's word for it, sent beside the envelope with 401. */
  readonly oauth?: 'invalid_token' | 'unauthorized'
}
