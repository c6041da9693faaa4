/* A page's state: named values with labels and ranges, which the address holds and the controls change. */

export type Vec3 = [number, number, number];
interface Common { label: string; /** Parameters of one group stand together. */ group?: string; /** Shown only then. */ when?: (state: any) => boolean }
export interface NumberParam extends Common { kind: 'number'; value: number; min: number; max: number; step: number; /** Seconds from min to max: it can be played. */ play?: number; unit?: string }
export interface Vec3Param extends Common { kind: 'vec3'; value: Vec3; min: number; max: number; step: number; unit?: string }
export interface ChoiceParam<O extends string = string> extends Common { kind: 'choice'; value: O; options: Record<O, string> }
export interface FlagParam extends Common { kind: 'flag'; value: boolean }
export type Param = NumberParam | Vec3Param | ChoiceParam<any> | FlagParam;
export type Params = Record<string, Param>;
export type State<P extends Params> = { [K in keyof P]: P[K]['value'] };

type More<T> = Partial<Omit<T, 'kind' | 'value' | 'label'>>;
export const number = (label: string, value: number, min: number, max: number, more: More<NumberParam> = {}): NumberParam =>
  ({ kind: 'number', label, value, min, max, step: 0.01, ...more });
export const vec3 = (label: string, value: Vec3, min: number, max: number, more: More<Vec3Param> = {}): Vec3Param =>
  ({ kind: 'vec3', label, value, min, max, step: 0.01, ...more });
export const choice = <O extends string>(label: string, value: NoInfer<O>, options: Record<O, string>, more: Omit<Common, 'label'> = {}): ChoiceParam<O> =>
  ({ kind: 'choice', label, value, options, ...more });
export const flag = (label: string, value: boolean, more: Omit<Common, 'label'> = {}): FlagParam => ({ kind: 'flag', label, value, ...more });

/** The nearest value that the control can show; what is no number is refused. */
function fit(value: unknown, { min, max, step }: { min: number; max: number; step: number }): number | undefined {
  const x = value === '' ? NaN : Number(value);
  if (!Number.isFinite(x)) return undefined;
  return Number(Math.min(max, Math.max(min, Math.round(x / step) * step)).toFixed(6));
}
export function fitted(param: Param, value: unknown): unknown {
  switch (param.kind) {
    case 'number': return fit(value, param) ?? param.value;
    case 'vec3': return (value as number[]).length === 3 ? (value as number[]).map((x, k) => fit(x, param) ?? param.value[k]!) : param.value;
    case 'choice': return Object.hasOwn(param.options, value as string) ? value : param.value;
    case 'flag': return value === true || value === '1';
  }
}
const same = (a: unknown, b: unknown) => String(a) === String(b);

/** The state that an address's hash holds; what it does not name, or names badly, is as at first. */
export function fromHash<P extends Params>(params: P, hash: string): State<P> {
  const found = new URLSearchParams(hash.replace(/^#/, '')), state: Record<string, unknown> = {};
  for (const [name, param] of Object.entries(params)) {
    const text = found.get(name);
    state[name] = text === null ? structuredClone(param.value) : fitted(param, param.kind === 'vec3' ? text.split(',') : text);
  }
  return state as State<P>;
}
/** Only what is not as at first, so that addresses stay short. */
export function toHash<P extends Params>(params: P, state: State<P>, more: Record<string, string> = {}): string {
  const parts = Object.entries(params).filter(([name, param]) => !same(state[name], param.value))
    .map(([name, param]) => `${name}=${param.kind === 'flag' ? (state[name] ? 1 : 0) : String(state[name])}`);
  for (const [name, text] of Object.entries(more)) parts.push(`${name}=${text}`);
  return parts.length ? `#${parts.join('&')}` : '';
}
