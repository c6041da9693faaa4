/* The 3D view of a page: three's renderer, drawn when something has changed and not otherwise; colors by the style sheet's
 * names, so that light and dark are one place; labels as HTML. Without WebGL all else of the page still works. */
import {
  BufferGeometry, Color, CylinderGeometry, ConeGeometry, DirectionalLight, DoubleSide, EdgesGeometry, Float32BufferAttribute, FrontSide, Group, HemisphereLight,
  LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial, MeshLambertMaterial, Object3D, PerspectiveCamera, Plane, Raycaster, Scene, SphereGeometry, Vector2,
  Vector3, WebGLRenderer, type Material,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import type { Vec3Like } from 'carom';
import { h } from './html';

export const v3 = (v: Vec3Like): Vector3 => ('x' in v ? new Vector3(v.x, v.y, v.z) : new Vector3(v[0], v[1], v[2]));
type Colored = Material & { color: Color };

export class View {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(35, 1.6, 0.1, 500);
  readonly orbit: OrbitControls;
  readonly element: HTMLElement;
  private readonly renderer: WebGLRenderer | undefined;
  private readonly painted: { material: Colored; name: string }[] = [];
  private readonly labels: Label[] = [];
  private readonly home: { eye: Vector3; target: Vector3 };
  private asked = false;
  /** Called before every drawing. */
  before: (() => void)[] = [];

  constructor(host: HTMLElement, eye: Vec3Like, target: Vec3Like) {
    this.element = h('div', { class: 'view', tabindex: 0, role: 'application', 'aria-label': 'The scene', 'aria-describedby': 'keys' });
    host.prepend(this.element);
    try {
      this.renderer = new WebGLRenderer({ antialias: true, alpha: true });
      this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
      this.element.append(this.renderer.domElement);
    } catch {
      this.element.append(h('p', { class: 'without' }, 'This browser shows no WebGL: the numbers are right all the same.'));
    }
    this.home = { eye: v3(eye), target: v3(target) };
    this.camera.position.copy(this.home.eye);
    this.orbit = new OrbitControls(this.camera, this.element);
    this.orbit.target.copy(this.home.target);
    this.orbit.enablePan = false;
    this.orbit.minDistance = 2;
    this.orbit.maxDistance = 200;
    this.orbit.update();
    this.orbit.addEventListener('change', () => this.draw());
    const sun = new DirectionalLight(0xffffff, 1.6), sky = new HemisphereLight(0xffffff, 0xb8b0a0, 1.9);
    sun.position.set(3, 6, 4);
    this.scene.add(sun, sky);
    new ResizeObserver(() => this.resize()).observe(this.element);
    addEventListener('theme', () => {
      for (const { material, name } of this.painted) material.color.copy(this.color(name));
      this.draw();
    });
  }
  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (!width || !height) return;
    this.camera.aspect = width / height;
    // what is seen in a wide view is seen in a narrow one, too
    this.camera.fov = this.camera.aspect >= 1.3 ? 35 : (360 / Math.PI) * Math.atan((Math.tan((35 * Math.PI) / 360) * 1.3) / this.camera.aspect);
    this.camera.updateProjectionMatrix();
    this.renderer?.setSize(width, height, false);
    this.render();
  }
  /** Draws before the next frame. */
  draw(): void {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => this.render());
  }
  render(): void {
    this.asked = false;
    for (const call of this.before) call();
    this.renderer?.render(this.scene, this.camera);
    const taken: Area[] = [];
    for (const label of this.labels) label.place(this, taken);
  }
  /** The picture as it is now. */
  picture(type: string, quality: number): string {
    this.render();
    return this.renderer?.domElement.toDataURL(type, quality) ?? '';
  }
  /** Puts the camera back. */
  reset(): void {
    this.camera.position.copy(this.home.eye);
    this.orbit.target.copy(this.home.target);
    this.orbit.update();
  }
  /** The eye, as the address holds it; none where it is as at first. */
  get eye(): string | undefined {
    return this.camera.position.distanceTo(this.home.eye) < 1e-3 ? undefined : this.camera.position.toArray().map((x) => x.toFixed(2)).join(',');
  }
  set eye(text: string | undefined) {
    const at = text?.split(',').map(Number) ?? [];
    if (at.length === 3 && at.every(Number.isFinite)) this.camera.position.fromArray(at);
    else this.camera.position.copy(this.home.eye);
    this.orbit.update();
  }
  /** Looks from elsewhere around the target: radians to the right and up. */
  turn(right: number, up: number, nearer = 1): void {
    const offset = this.camera.position.clone().sub(this.orbit.target), r = offset.length() * nearer;
    const polar = Math.min(Math.PI - 0.05, Math.max(0.05, Math.acos(offset.y / offset.length()) - up)), azimuth = Math.atan2(offset.x, offset.z) + right;
    this.camera.position.setFromSphericalCoords(r, polar, azimuth).add(this.orbit.target);
    this.orbit.update();
  }
  /** The axes of the world that lie nearest to the screen's right and up, with signs, and the one that is left. */
  facing(): { right: [number, number]; up: [number, number]; deep: [number, number] } {
    const right = new Vector3(), up = new Vector3(), back = new Vector3();
    this.camera.updateMatrixWorld();
    this.camera.matrixWorld.extractBasis(right, up, back);
    const deep = largest(back, []), r = largest(right, [deep]), u = 3 - deep - r;
    const sign = (v: Vector3, k: number): number => (v.getComponent(k) < 0 ? -1 : 1);
    return { right: [r, sign(right, r)], up: [u, sign(up, u)], deep: [deep, sign(back, deep)] };
  }
  /** The ray under a pointer. */
  rayAt(event: { clientX: number; clientY: number }): Raycaster {
    const box = this.element.getBoundingClientRect(), caster = new Raycaster();
    caster.setFromCamera(new Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2), this.camera);
    return caster;
  }
  /** Where that ray meets the plane through a point that the axis `deep` is square to. */
  onPlane(event: { clientX: number; clientY: number }, through: Vector3, deep: number): Vector3 | null {
    const normal = new Vector3().setComponent(deep, 1);
    return this.rayAt(event).ray.intersectPlane(new Plane().setFromNormalAndCoplanarPoint(normal, through), new Vector3());
  }

  /* --- what is drawn --- */

  private color(name: string): Color {
    return new Color(getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim());
  }
  private paint<M extends Colored>(material: M, name: string): M {
    material.color.copy(this.color(name));
    this.painted.push({ material, name });
    return material;
  }
  flat(name: string, opacity = 1): MeshBasicMaterial {
    return this.paint(new MeshBasicMaterial({ transparent: opacity < 1, opacity, depthWrite: opacity === 1, side: DoubleSide }), name);
  }
  lit(name: string, opacity = 1, flatShading = false): MeshLambertMaterial {
    return this.paint(new MeshLambertMaterial({ transparent: opacity < 1, opacity, depthWrite: opacity === 1, side: opacity < 1 ? DoubleSide : FrontSide, flatShading }), name);
  }
  line(name: string, opacity = 1): LineBasicMaterial {
    return this.paint(new LineBasicMaterial({ transparent: opacity < 1, opacity }), name);
  }
  add<O extends Object3D>(object: O): O {
    this.scene.add(object);
    return object;
  }
  /** A body one can look into: its surface lightly, its edges clearly. */
  body(geometry: BufferGeometry, name: string, { opacity = 0.38, crease = 20, edges = true } = {}): Group {
    const group = new Group();
    group.add(new Mesh(geometry, this.lit(name, opacity)));
    if (edges) group.add(new LineSegments(new EdgesGeometry(geometry, crease), this.line(name)));
    return this.add(group);
  }
  point(name: string, radius = 0.07): Mesh {
    return this.add(new Mesh(new SphereGeometry(radius, 16, 12), this.flat(name)));
  }
  /** A straight bar between two points, to be placed. */
  rod(name: string, radius = 0.025, opacity = 1): Rod { return this.add(new Rod(this.flat(name, opacity), radius)); }
  arrow(name: string, radius = 0.03): Arrow { return this.add(new Arrow(this.flat(name), radius)); }
  /** Thin lines: pairs of points. */
  lines(name: string, opacity = 1): Lines { return this.add(new Lines(this.line(name, opacity))); }
  label(name = ''): Label {
    const label = new Label(h('span', { class: `label ${name}`, 'aria-hidden': 'true' }));
    this.element.append(label.element);
    this.labels.push(label);
    return label;
  }
  /** A floor of lines, one unit apart. */
  floor(y: number, half = 5): void {
    const lines = this.lines('grid', 0.55), points: number[] = [];
    for (let i = -half; i <= half; i++) points.push(i, y, -half, i, y, half, -half, y, i, half, y, i);
    lines.set(points);
  }
}
function largest(v: Vector3, without: number[]): number {
  let best = -1;
  for (let k = 0; k < 3; k++) if (!without.includes(k) && (best < 0 || Math.abs(v.getComponent(k)) > Math.abs(v.getComponent(best)))) best = k;
  return best;
}

const up = new Vector3(0, 1, 0), unitRod = new CylinderGeometry(1, 1, 1, 10), unitTip = new ConeGeometry(1, 1, 16);
export class Rod extends Mesh {
  constructor(material: Material, private readonly radius: number) { super(unitRod, material); }
  set(a: Vec3Like, b: Vec3Like): this {
    const from = v3(a), to = v3(b), length = from.distanceTo(to);
    this.visible = length > 0;
    this.position.copy(from).add(to).multiplyScalar(0.5);
    this.quaternion.setFromUnitVectors(up, to.sub(from).divideScalar(length || 1));
    this.scale.set(this.radius, length, this.radius);
    return this;
  }
}
export class Arrow extends Group {
  private readonly shaft: Rod;
  private readonly tip: Mesh;
  constructor(material: Material, private readonly radius: number) {
    super();
    this.shaft = new Rod(material, radius);
    this.tip = new Mesh(unitTip, material);
    this.add(this.shaft, this.tip);
  }
  set(a: Vec3Like, b: Vec3Like): this {
    const from = v3(a), to = v3(b), length = from.distanceTo(to), tip = Math.min(7 * this.radius, length);
    this.visible = length > 0;
    if (!this.visible) return this;
    const direction = to.clone().sub(from).divideScalar(length), neck = to.clone().addScaledVector(direction, -tip);
    this.shaft.set(from, neck);
    this.tip.position.copy(neck).addScaledVector(direction, tip / 2);
    this.tip.quaternion.setFromUnitVectors(up, direction);
    this.tip.scale.set(3 * this.radius, tip, 3 * this.radius);
    return this;
  }
}
export class Lines extends LineSegments {
  constructor(material: Material) {
    super(new BufferGeometry(), material);
    this.frustumCulled = false;
  }
  set(points: number[] | Float32Array): this {
    this.geometry.dispose();
    this.geometry = new BufferGeometry().setAttribute('position', new Float32BufferAttribute(points, 3));
    return this;
  }
}
interface Area { left: number; top: number; right: number; bottom: number }
/** A word beside a point of the scene. */
export class Label {
  private at: Vector3 | undefined;
  constructor(readonly element: HTMLElement) {}
  set(at: Vec3Like, text: string, name?: string): this {
    this.at = v3(at);
    if (this.element.textContent !== text) this.element.textContent = text;
    if (name !== undefined) this.element.className = `label ${name}`;
    return this;
  }
  hide(): void { this.at = undefined; }
  /** Beside its point, within the view where the point is in it, and below the labels that stand there already. */
  place(view: View, taken: Area[]): void {
    const p = this.at?.clone().project(view.camera);
    this.element.hidden = !p || p.z > 1;
    if (!p || p.z > 1) return;
    const { clientWidth: width, clientHeight: height } = view.element, { offsetWidth: wide, offsetHeight: high } = this.element;
    let left = ((p.x + 1) / 2) * width - wide / 2, top = ((1 - p.y) / 2) * height - high / 2;
    if (Math.abs(p.x) <= 1) left = Math.max(0, Math.min(left, width - wide));
    for (const area of taken) // sorted by their tops, so that one pass finds room
      if (left < area.right && area.left < left + wide && top < area.bottom && area.top < top + high) top = area.bottom;
    taken.push({ left, top, right: left + wide, bottom: top + high });
    taken.sort((one, other) => one.top - other.top);
    this.element.style.transform = `translate(${left}px, ${top}px)`;
  }
}
/** The twelve edges of a box, as pairs of points. */
export function edgesOf(min: readonly number[], max: readonly number[]): number[] {
  const points: number[] = [];
  for (let k = 0; k < 3; k++)
    for (let corner = 0; corner < 4; corner++) {
      const from = [...min], one = (k + 1) % 3, other = (k + 2) % 3;
      if (corner & 1) from[one] = max[one]!;
      if (corner & 2) from[other] = max[other]!;
      const to = [...from];
      to[k] = max[k]!;
      points.push(...from, ...to);
    }
  return points;
}
