// What a member may do with each object, by their role in the project, their grants and the restrictions.

import type { GrantLimits } from '#shared/grants/limits.ts';
import {
  grantedTypes,
  rightsAbout,
  rightToSee,
  type GrantedType,
} from '#shared/grants/granted-types.ts';
import { ofShown, type Right, type Rights } from '#shared/rights.ts';

export interface ObjectRef {
  type: GrantedType;
  id: number;
}

/** A grant of one member. */
export interface HeldGrant {
  id: number;
  role: string;
  roleName: string;
  /** Those of the role; with limits, only those of launching. */
  rights: Rights;
  /** Null: without limits. */
  limits: GrantLimits | null;
}

export type LimitedGrant = HeldGrant & { limits: GrantLimits };

const keyOf = ({ type, id }: ObjectRef): string => `${type} ${id}`;

/** Whoever gives access to objects is not kept out of any. */
export const isExempt = (rights: Rights): boolean => rights.has('grant.edit');

/** The kinds of objects that somebody with these rights sees unless one is restricted. */
export const seenTypes = (rights: Rights): Set<GrantedType> =>
  new Set(grantedTypes.filter((type) => rights.has(rightToSee(type))));

/** Whether something of a project may be hidden from somebody with these rights. */
export const isNarrowed = (rights: Rights, hasRestrictions: boolean): boolean =>
  !isExempt(rights) && (hasRestrictions || seenTypes(rights).size < grantedTypes.length);

/** Limits are about tasks of templates: with them, a role on a view only shows the workflows in it. */
const countingOn = ({ type }: ObjectRef, { rights, limits }: HeldGrant): Rights =>
  limits && type === 'workflow' ? ofShown(rights) : rights;

export class ObjectRights {
  readonly #ofRole: Rights;
  readonly #grants = new Map<string, HeldGrant[]>();
  readonly #restricted = new Set<string>();

  /** `ofRole`: the rights of the role in the project. */
  constructor(
    ofRole: Rights,
    grants: { object: ObjectRef; grant: HeldGrant }[],
    restricted: ObjectRef[],
  ) {
    this.#ofRole = ofRole;
    for (const { object, grant } of grants) {
      const key = keyOf(object);
      const own = { ...grant, rights: rightsAbout(object.type, countingOn(object, grant)) };
      const held = this.#grants.get(key);
      if (held) held.push(own);
      else this.#grants.set(key, [own]);
    }
    for (const object of restricted) this.#restricted.add(keyOf(object));
  }

  /** Those of the role in the project, on which restrictions and grants have no effect. */
  get ofRole(): Rights {
    return this.#ofRole;
  }

  grantsOn(object: ObjectRef): HeldGrant[] {
    return this.#grants.get(keyOf(object)) ?? [];
  }

  /** Whether the role in the project counts for the object. */
  isOpen(object: ObjectRef): boolean {
    return isExempt(this.#ofRole) || !this.#restricted.has(keyOf(object));
  }

  /** Whether the role shows objects of one of the kinds, unless they are restricted. */
  showsByRole(...types: GrantedType[]): boolean {
    return types.some((type) => this.#ofRole.has(rightToSee(type)));
  }

  sees(object: ObjectRef): boolean {
    const isShown = this.isOpen(object) && this.showsByRole(object.type);
    return isShown || this.#grants.has(keyOf(object));
  }

  on(object: ObjectRef): Rights {
    const all = new Set<Right>(this.isOpen(object) ? this.#ofRole : []);
    for (const { rights } of this.grantsOn(object)) for (const right of rights) all.add(right);
    return all;
  }

  /** The grants by which alone one of the rights is had, if all of them have limits; null: it is had without. */
  limitedBy(rights: Right[], object: ObjectRef): LimitedGrant[] | null {
    const has = (held: Rights): boolean => rights.some((right) => held.has(right));
    if (this.isOpen(object) && has(this.#ofRole)) return null;
    const grants = this.grantsOn(object).filter((grant) => has(grant.rights));
    const limited = grants.flatMap(({ limits, ...grant }) =>
      limits ? [{ ...grant, limits }] : [],
    );
    return limited.length > 0 && limited.length === grants.length ? limited : null;
  }

  /** Whether the role or one of the grants has the right. */
  hasAnywhere(right: Right): boolean {
    if (this.#ofRole.has(right)) return true;
    return [...this.#grants.values()].flat().some(({ rights }) => rights.has(right));
  }

  /** The objects on which the right is had by a grant. */
  grantedWith(right: Right): ObjectRef[] {
    return [...this.#grants].flatMap(([key, held]) => {
      const [type, id] = key.split(' ') as [GrantedType, string];
      return held.some(({ rights }) => rights.has(right)) ? [{ type, id: Number(id) }] : [];
    });
  }

  /** Each object for which the role alone does not decide. */
  get exceptions(): ObjectRef[] {
    return [...new Set([...this.#restricted, ...this.#grants.keys()])].map((key) => {
      const [type, id] = key.split(' ') as [GrantedType, string];
      return { type, id: Number(id) };
    });
  }

  /** As the API shows them, without those that are hidden. */
  get shownExceptions() {
    return this.exceptions
      .filter((object) => this.sees(object))
      .map((object) => ({
        object_type: object.type,
        object_id: object.id,
        rights: [...rightsAbout(object.type, this.on(object))],
      }));
  }
}
