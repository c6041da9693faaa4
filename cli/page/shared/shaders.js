/* The materials of the view. Every part's color and state stand in a small texture, two texels a part: color and alpha,
 * then mode, stripes, whether it is drawn turned by the matrix `spin`, and whether it is a closed solid. Changing what is lit, ghosted or hidden is one upload of that texture, whatever the model's size. */

const MODE = { HIDDEN: 0, SOLID: 1, GHOST: 2, GLASS: 3 };
const PASS = { SOLID: 0, CLEAR: 1, PICK: 2, PICK_GHOST: 3 };
const STATE_WIDTH = 1024; /* texels a row of the state texture: 512 parts */

const STATE_GLSL = `
  attribute float part;
  uniform sampler2D state;
  uniform vec2 stateSize;
  uniform float pass;
  #ifdef INSTANCED
  attribute vec4 row0, row1, row2;
  vec3 place(vec3 p) { vec4 q = vec4(p, 1.0); return vec3(dot(row0, q), dot(row1, q), dot(row2, q)); }
  vec3 turn(vec3 n) { return vec3(dot(row0.xyz, n), dot(row1.xyz, n), dot(row2.xyz, n)); }
  #else
  vec3 place(vec3 p) { return p; }
  vec3 turn(vec3 n) { return n; }
  #endif
  vec4 stateOf(float texel) {
    float row = floor(texel / stateSize.x);
    return texture2D(state, (vec2(texel - row * stateSize.x, row) + 0.5) / stateSize);
  }
  uniform mat4 spin;
  bool spins() { return stateOf(2.0 * part + 1.0).b > 0.5; }
  vec4 standing(vec3 p) { return spins() ? spin * vec4(place(p), 1.0) : vec4(place(p), 1.0); }
  float modeOf() { return floor(stateOf(2.0 * part + 1.0).r * 255.0 + 0.5); }
  bool drawn(float mode) {
    if (pass < 0.5) return mode == 1.0;
    if (pass < 1.5) return mode >= 2.0;
    if (pass < 2.5) return mode == 1.0 || mode == 3.0;
    return mode >= 1.0;
  }`;

/* A plane cuts away what is above it. */
const CUT_GLSL = `
  #ifdef CUT
  uniform vec4 cut;
  bool gone(vec3 p) { return dot(p, cut.xyz) > cut.w; }
  #endif`;

const SURFACE_VERTEX = `${STATE_GLSL}
  varying vec3 toEye, facing, stood;
  varying vec4 tint;
  varying float ghost, striped, full;
  void main() {
    vec4 how = stateOf(2.0 * part + 1.0);
    float mode = modeOf();
    ghost = mode == 2.0 ? 1.0 : 0.0;
    striped = how.g;
    full = how.a;
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    if (!drawn(mode)) return;
    tint = stateOf(2.0 * part);
    if (pass > 1.5) {
      float id = part + 1.0;
      tint = vec4(mod(id, 256.0), mod(floor(id / 256.0), 256.0), floor(id / 65536.0), 255.0) / 255.0;
    }
    vec4 stands = standing(position), seen = modelViewMatrix * stands;
    stood = stands.xyz;
    toEye = -seen.xyz;
    #ifndef FLAT
    facing = normalMatrix * (spins() ? mat3(spin) * turn(normal) : turn(normal));
    #endif
    gl_Position = projectionMatrix * seen;
  }`;

const SURFACE_FRAGMENT = `
  uniform float pass, focus, stripe;
  uniform vec3 upward, second;
  varying vec3 toEye, facing, stood;
  varying vec4 tint;
  varying float ghost, striped, full;
  ${CUT_GLSL}
  void main() {
    #ifdef CUT
    if (gone(stood)) discard;
    if (full > 0.5 && !gl_FrontFacing && pass < 0.5) { gl_FragColor = vec4(tint.rgb * 0.7, 1.0); return; } /* from within */
    #endif
    if (pass > 1.5) { gl_FragColor = tint; return; }
    #ifdef FLAT
    vec3 n = normalize(cross(dFdx(toEye), dFdy(toEye))), eye = normalize(toEye);
    #else
    vec3 n = normalize(facing), eye = normalize(toEye);
    #endif
    if (dot(n, eye) < 0.0) n = -n;
    if (pass > 0.5) {
      float rim = 1.0 - abs(dot(n, eye));
      float near = mix(1.0, smoothstep(0.25, 0.95, length(toEye) / focus), ghost); /* ghosts in front fade */
      gl_FragColor = vec4(tint.rgb, tint.a * near * (0.16 + 0.84 * rim * rim));
      return;
    }
    vec3 color = tint.rgb;
    if (striped > 0.5 && fract((gl_FragCoord.x + gl_FragCoord.y) / (2.0 * stripe)) < 0.5) color = second;
    vec3 lamp = normalize(vec3(0.35, 0.55, 0.75));
    float key = 0.5 + 0.5 * dot(n, lamp), sky = 0.5 + 0.5 * dot(n, upward);
    float glint = pow(max(dot(n, normalize(lamp + eye)), 0.0), 40.0);
    gl_FragColor = vec4(color * (0.44 + 0.5 * key * key + 0.18 * sky) + 0.09 * glint, 1.0);
  }`;

const EDGE_VERTEX = `${STATE_GLSL}
  uniform vec3 ink;
  uniform float focus;
  varying vec4 tint;
  varying vec3 stood;
  void main() {
    float mode = modeOf();
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    if (!drawn(mode)) return;
    vec4 color = stateOf(2.0 * part);
    vec4 stands = standing(position), seen = modelViewMatrix * stands;
    stood = stands.xyz;
    tint = pass < 0.5 ? vec4(mix(ink, color.rgb, 0.15), 0.5)
      : vec4(color.rgb, mode > 2.5 ? 0.4 : color.a * 0.55 * smoothstep(0.25, 0.95, length(seen.xyz) / focus));
    gl_Position = projectionMatrix * seen;
  }`;

const EDGE_FRAGMENT = `
  varying vec4 tint;
  varying vec3 stood;
  ${CUT_GLSL}
  void main() {
    #ifdef CUT
    if (gone(stood)) discard;
    #endif
    gl_FragColor = tint;
  }`;

const PIN_VERTEX = `
  attribute vec3 tone;
  uniform float pixels;
  varying vec3 color;
  void main() {
    color = tone;
    gl_PointSize = pixels;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }`;

const PIN_FRAGMENT = `
  uniform float pixels, opacity;
  uniform vec3 rim;
  varying vec3 color;
  void main() {
    float r = length(gl_PointCoord - 0.5) * pixels;
    float edge = pixels * 0.5 - 1.0;
    float inner = edge - max(1.5, pixels * 0.13);
    vec3 paint = mix(color, rim, smoothstep(inner - 0.7, inner + 0.7, r));
    gl_FragColor = vec4(paint, opacity * (1.0 - smoothstep(edge - 0.7, edge + 0.7, r)));
  }`;

/* One material a pass and kind; all share the uniforms in `common`. Three sets: of meshes as they stand, of instances, and of
 * flat faces without normals. */
function makeMaterials(common) {
  const make = (vertexShader, fragmentShader, pass, more, defines) =>
    new THREE.ShaderMaterial({
      vertexShader,
      fragmentShader,
      uniforms: { ...common, pass: { value: pass } },
      defines: { ...defines },
      extensions: { derivatives: true },
      side: THREE.DoubleSide,
      ...more,
    });
  const clear = { transparent: true, depthWrite: false };
  const set = (defines) => ({
    solid: make(
      SURFACE_VERTEX,
      SURFACE_FRAGMENT,
      PASS.SOLID,
      { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 },
      defines,
    ),
    clear: make(SURFACE_VERTEX, SURFACE_FRAGMENT, PASS.CLEAR, clear, defines),
    edge: make(EDGE_VERTEX, EDGE_FRAGMENT, PASS.SOLID, { transparent: true, depthWrite: false }, defines),
    clearEdge: make(EDGE_VERTEX, EDGE_FRAGMENT, PASS.CLEAR, clear, defines),
    pick: make(SURFACE_VERTEX, SURFACE_FRAGMENT, PASS.PICK, { blending: THREE.NoBlending }, defines),
    pickGhost: make(SURFACE_VERTEX, SURFACE_FRAGMENT, PASS.PICK_GHOST, { blending: THREE.NoBlending }, defines),
  });
  return [set({}), set({ INSTANCED: 1 }), set({ FLAT: 1 })];
}

/* A section: where a plane is inside a solid is where behind it more faces look away than towards the eye. These are
 * counted in the stencil, one up and one down; then a square in the plane is drawn where the count is not zero, which
 * sets it to zero again. `stripes`: every other stripe only. */
const SECTION_VERTEX = `
  varying vec3 stood;
  void main() {
    stood = (modelMatrix * vec4(position, 1.0)).xyz;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }`;
const COUNT_FRAGMENT = `
  uniform vec4 cut;
  varying vec3 stood;
  void main() {
    if (dot(stood, cut.xyz) > cut.w) discard;
    gl_FragColor = vec4(0.0);
  }`;
const SECTION_FRAGMENT = `
  uniform vec3 color;
  uniform float stripe, stripes;
  void main() {
    if (stripes > 0.5 && fract((gl_FragCoord.x + gl_FragCoord.y) / (2.0 * stripe)) < 0.5) discard;
    gl_FragColor = vec4(color * 0.86, 1.0);
  }`;

function makeCountMaterial(common, side) {
  const op = side === THREE.BackSide ? THREE.IncrementWrapStencilOp : THREE.DecrementWrapStencilOp;
  const material = new THREE.ShaderMaterial({ vertexShader: SECTION_VERTEX, fragmentShader: COUNT_FRAGMENT, uniforms: { cut: common.cut }, side, colorWrite: false, depthWrite: false, depthTest: false });
  return Object.assign(material, { stencilWrite: true, stencilFunc: THREE.AlwaysStencilFunc, stencilFail: op, stencilZFail: op, stencilZPass: op });
}

function makeSectionMaterial(common, color, stripes) {
  const material = new THREE.ShaderMaterial({ vertexShader: SECTION_VERTEX, fragmentShader: SECTION_FRAGMENT, uniforms: { color: { value: color }, stripe: common.stripe, stripes: { value: stripes ? 1 : 0 } }, side: THREE.DoubleSide });
  const op = THREE.ZeroStencilOp;
  return Object.assign(material, { stencilWrite: true, stencilRef: 0, stencilFunc: THREE.NotEqualStencilFunc, stencilFail: op, stencilZFail: op, stencilZPass: op });
}

function makePinMaterial(rim, opacity, depthTest) {
  return new THREE.ShaderMaterial({
    vertexShader: PIN_VERTEX,
    fragmentShader: PIN_FRAGMENT,
    transparent: true,
    depthWrite: false,
    depthTest,
    uniforms: { pixels: { value: 12 }, opacity: { value: opacity }, rim: { value: rim } },
  });
}
