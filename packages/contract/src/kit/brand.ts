// A merchant as its customers see it; what is made of it for the eye is in the design.
export type Brand = {
  readonly name: string
  /** An address of our own, so that no page loads anything from elsewhere; null: two initials stand in its
   *  place. */
  readonly logoUrl: string | null
  /** `#rrggbb`, as it was given; null: our own green. */
  readonly colour: string | null
  readonly supportEmail: string | null
  readonly supportPhone: string | null
}

/** A merchant that has set nothing but its name. */
export const plainBrand = (name: string): Brand => ({
  name,
  logoUrl: null,
  colour: null,
  supportEmail: null,
  supportPhone: null,
})
