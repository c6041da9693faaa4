/* The texts of the help. */
#include "options.h"

#define INPUT_OPTIONS                                                                                                  \
    "Input:\n"                                                                                                         \
    "  --unit UNIT            unit of files that do not state one: um mm cm dm m km mil in ft yd\n"                    \
    "                         (else STL and BREP are read as mm, other such files as m; glTF, IFC, STEP, 3MF ...\n"    \
    "                         state theirs)\n"                                                                         \
    "  --override-unit UNIT   take this unit for all files, whatever they state\n"                                     \
    "  --up x|y|z             which axis points up in files that do not state it\n"                                    \
    "  --part node|mesh|component\n"                                                                                   \
    "                         what a part is: a node with all its meshes (default), each mesh, or each\n"              \
    "                         connected piece\n"                                                                       \
    "  --ignore SELECTOR      leave out parts, e.g. 'IfcFurni*' or 'leaf=IfcSpace*'; may be repeated\n"                \
    "  --weld LENGTH          join points within this distance (default: only equal ones)\n"                           \
    "  --chord LENGTH         how far chords may be off the curves of an IFC (default: 1mm), STEP, IGES, BREP\n"       \
    "                         (0.1mm, or a ten thousandth of the body where that is more)\n"                           \
    "  --skip-bad             leave out triangles with bad points or indices instead of refusing the file\n"           \
    "  --cache FOLDER         keep what was read there, so that unchanged files need not be read again\n"              \
    "  --import-memory SIZE   memory the importer may use (default: 768 MiB and 50 times the file)\n"                  \
    "  --import-timeout TIME  time the importer may take (default: 300s)\n"                                            \
    "  --threads N            default: one for each CPU; the answers do not depend on it\n"

#define SPACES "  --also spaces          also spaces and openings, which are left out by default\n"
#define INCOMPLETE                                                                                                     \
    "  --incomplete refuse|ok what a file holds and could not be read: exit code 2 (default), or only said\n"

const char help_overview[] =
    "carom finds out which parts of a model cross, touch, lie inside one another or come too close.\n"
    "\n"
    "  carom check FILE...      every part against every other: table, JSON, CSV, HTML report, exit code\n"
    "  carom distance A B       the gap between two files, or how deep they cross\n"
    "  carom fit FILE...        a sphere, box, capsule or hull around a model, as numbers and as a mesh\n"
    "  carom approve FILE...    accept findings: of an answer, or what was approved in a BCF\n"
    "  carom info FILE...       what is in a file: parts, size, closed or open, what is wrong with it\n"
    "  carom simulate SCENE     moving bodies: what meets, when, and how it responds\n"
    "  carom help [COMMAND]     what a command takes\n"
    "  carom version\n"
    "\n"
    "Files may be IFC (which needs Node.js), STEP, IGES, BREP (which need Open CASCADE), glTF, GLB, OBJ, STL, PLY, "
    "OFF,\n"
    "3MF, DAE, FBX and whatever else Assimp reads; carom check also takes a robot (URDF).\n"
    "Exit code: 0 nothing found, 1 something found, 2 bad usage or input, 3 internal error.\n";

const char help_simulate[] =
    "usage: carom simulate [options] SCENE.json\n"
    "\n"
    "Moves the bodies of a scene and prints how often they met, and what the scene asks to be measured: momentum and\n"
    "energy, the clearance between two classes, a box, events side by side. docs/guide/scene.md describes the file.\n"
    "\n"
    "  --steps N              instead of the scene's\n"
    "  --dt SECONDS           instead of the scene's\n"
    "  --trace FILE.csv       every event: begun, hit, limit, stayed, ended, entered, left, with its time; and what\n"
    "                         is measured, at the start and at the end of each step\n"
    "  --report FILE.html     a page that plays it in 3D, to be opened without a network\n"
    "\n"
    "Broad phases, side by side:\n"
    "  --compare-broad        the boxes of each step to every broad phase: pairs (which must be the same), tests,\n"
    "                         bytes and time a step; and how many pairs each stage leaves: of all objects, of\n"
    "                         overlapping boxes, of touching shapes, contact points\n"
    "  --objects N,...        the same with so many scattered objects, as densely as in the scene, and how each\n"
    "                         broad phase grows with them; e.g. 1000,3000,10000\n"
    "  --kinds KIND,...       only these: auto brute sweep sweep3 grid octree octree-clipped quadtree\n"
    "                         quadtree-clipped bsp bvh\n"
    "  --queries QUERY=N,...  and so many queries each step: rays boxes nearest frusta; e.g. rays=100,boxes=20\n"
    "\n"
    "Exit code: 0, 2 bad usage or input, 3 internal error.\n";

const char help_check[] =
    "usage: carom check [options] FILE...\n"
    "\n"
    "Checks every part against every other, over all files.\n"
    "\n"
    "What is looked for:\n"
    "  --clearance LENGTH     report also parts closer than this, e.g. 5mm\n"
    "  --tolerance LENGTH     overlaps up to this count as touching (default: a millionth of each pair's size, and\n"
    "                         what the chords of curves are off, where that is known)\n"
    "  --between A B          only pairs of a part of A and a part of B, each a selector; several are several tests\n"
    "  --rules FILE.json      named tests with their own parts, kind, tolerance, clearance, severity, exceptions\n"
    "                         (docs/guide/rules.md)\n"
    "  --also spaces|same-product|parent-child\n"
    "                         compare what is left out by default; may be repeated\n"
    "  --allow SELECTOR:SELECTOR  accept these pairs: listed, but not counted; may be repeated\n"
    "  --approved FILE        a list of what is accepted: lines of WHAT; reason; author; date, where WHAT is the id\n"
    "                         of a finding or SELECTOR:SELECTOR\n"
    "  --fail-on none|crossing|touching|clearance|new\n"
    "                         what makes the exit code 1; each includes the ones before it; parts inside one\n"
    "                         another and identical ones count as crossing (default: crossing, or clearance\n"
    "                         where one is given); new: only what is not in the baseline, of the level given\n"
    "                         by another --fail-on\n"
    "  --volume               measure also the volume that solid parts have in common\n"
    "  --baseline FILE.json   an earlier answer in JSON: says what is new since, persists, is resolved\n" INCOMPLETE
    "\n"
    "Output:\n"
    "  --format table|json|csv  (default: table; lengths in JSON and CSV are metres)\n"
    "  --group part|file|leaf|test|place|KEY\n"
    "                         a line for each group of findings: one part against many; pairs of files, of names\n"
    "                         without numbers, of what files say of parts (e.g. class, storey, layer); by test; by\n"
    "                         place\n"
    "  --report FILE.html     a page with the model in 3D and every finding, to be opened without a network\n"
    "  --junit FILE.xml       as tests of JUnit\n"
    "  --sarif FILE.sarif     as results of SARIF 2.1.0\n"
    "  --bcf FILE.bcf         findings or groups as topics of BCF (--bcf-version 2.1|3.0, --author, --date)\n"
    "\n"
    "A robot (URDF) is checked link against link: carom help robot lists its options.\n"
    "\n";

/* What follows: no text is longer than a compiler has to take. */
const char help_check_more[] = INPUT_OPTIONS
    "\n"
    "A selector is the name of a file, a pattern of a part's path, or KEY=PATTERN: class=IfcWall*, storey=EG, id=,\n"
    "leaf=, path=, file=, Pset_WallCommon.LoadBearing=TRUE; joined by ' & ' and ' | ', with ! before what must not\n"
    "hold. A pattern of a path matches when its components match consecutive components of the path; * is any text,\n"
    "? any character, ** any number of components; a leading / ties it to the start. Case counts.\n"
    "\n"
    "Under mpirun -q (or srun) the processes share the work; the answer is that of one process.\n"
    "  --resume FOLDER        keeps what is done there; the same check goes on from it\n"
    "\n"
    "Exit code: 0 nothing found, 1 something found, 2 bad usage or input, 3 internal error.\n";

const char help_approve[] =
    "usage: carom approve FILE... --approved LIST [options]\n"
    "\n"
    "Accepts findings: adds entries to the list that carom check --approved reads. What stands in it stays. A FILE is\n"
    "  an answer of carom check --format json: all that fails in it is accepted\n"
    "  a BCF: topics with a status that approves, with their last comment, its author and date. They are known by\n"
    "                         their GUID, where carom wrote them, else by the GlobalIds of the two parts\n"
    "\n"
    "  --approved LIST        the list; it is made where there is none\n"
    "  --status STATUS        topics of a BCF with this status; may be repeated (default: Approved, Accepted)\n"
    "  --reason TEXT          why (needed for an answer; in place of the comments of a BCF)\n"
    "  --author NAME          who (needed for an answer; in place of the authors of a BCF)\n"
    "  --date DATE            when, e.g. 2025-03-14 (default: that of the comments; else SOURCE_DATE_EPOCH, else now)\n"
    "\n"
    "Exit code: 0, 2 bad usage or input, 3 internal error.\n";

const char help_robot[] =
    "usage: carom check [options] ROBOT.urdf\n"
    "\n"
    "Checks the links of a robot against each other and against what stands around it: at rest, in named states, in\n"
    "random configurations, along a trajectory. docs/guide/robots.md says what is read and what the answers mean.\n"
    "\n"
    "  --srdf FILE            disabled pairs, named states, planning groups\n"
    "  --package NAME=FOLDER  where package://NAME/ is; may be repeated\n"
    "  --configurations N     so many random configurations, within the limits of the joints\n"
    "  --seed S               of the random values (default: 1)\n"
    "  --planning-group NAME  only the joints of this group take random values\n"
    "  --trajectory FILE.csv  the way through the rows of a table, between them too\n"
    "  --cell FILE            what stands around it; may be repeated\n"
    "  --attach FILE@LINK,TOUCHED,...\n"
    "                         what moves with a link, and the other links that it may touch; may be repeated\n"
    "  --attach-at 'X Y Z ROLL PITCH YAW'\n"
    "                         where in the link that is, as in a URDF's <origin>: metres, and radians if given\n"
    "  --adjacent             check also links that a joint connects\n"
    "  --padding LENGTH       links are larger by this on all sides; LINK=LENGTH: this one; may be repeated\n"
    "  --padding-against cell\n"
    "                         against the cell alone, as in MoveIt (default: all)\n"
    "  --link-scale FACTOR    links are larger by this factor; LINK=FACTOR: this one; may be repeated\n"
    "  --write-srdf FILE      write the pairs that need no check, with reasons\n"
    "  --report FILE.html     a page that plays the worst configurations, or the trajectory\n"
    "  --worst N              how many of them (default: 20)\n"
    "\n"
    "Of carom check also --tolerance, --between, --allow, --ignore, --fail-on, --format, --incomplete, --threads and\n"
    "the limits of importing; --unit and --up are for the cell and what is attached.\n"
    "\n"
    "Exit code: 0 nothing found, 1 something found, 2 bad usage or input, 3 internal error.\n";

const char help_distance[] =
    "usage: carom distance [options] A B\n"
    "       carom distance [options] FILE... --between A B\n"
    "\n"
    "Prints the smallest gap between the parts of A and those of B with the two points that show it; where they\n"
    "overlap, the greatest depth.\n"
    "\n"
    "  --between A B          selectors of parts, or files\n"
    "  --tolerance LENGTH     overlaps up to this count as touching\n" SPACES INCOMPLETE "  --format table|json\n"
    "\n" INPUT_OPTIONS;

const char help_info[] =
    "usage: carom info [options] FILE...\n"
    "\n"
    "Prints what is in the files: unit and axes (and whether they had to be assumed), parts, triangles, size, closed "
    "or\n"
    "open, holes, non-manifold edges, folded, duplicate and degenerate triangles, and what was left out.\n"
    "\n"
    "  --bounds               also bounding sphere, boxes, capsule and hull of each part and of the whole: their\n"
    "                         volumes, and how much of them the part leaves empty\n"
    "  --format table|json|csv\n"
    "\n" INPUT_OPTIONS;

const char help_fit[] =
    "usage: carom fit [options] --as sphere|aabb|box|capsule|hull FILE...\n"
    "\n"
    "Fits a volume around all parts of the files, for tests that need less than the model itself (a collision proxy).\n"
    "Every vertex of every triangle is inside it. Prints its numbers, its volume, and how much of it is empty.\n"
    "\n"
    "What is fitted:\n"
    "  --as sphere            the smallest sphere\n"
    "  --as aabb              the box along the axes of the model\n"
    "  --as box               the smallest box that was found, turned as it fits best\n"
    "  --as capsule           a segment with a radius\n"
    "  --as hull              the convex hull, exactly\n"
    "  --each                 one around each part instead of one around all\n" SPACES INCOMPLETE "\n"
    "Output:\n"
    "  --output FILE.obj|.stl write the volumes as closed convex meshes. Their corners are numbers that the file can\n"
    "                         hold (single precision), and every vertex of the model is inside these very meshes\n"
    "  --output-unit UNIT     the unit of that file (default: that of the first file)\n"
    "  --segments N           around a sphere or capsule in it, 4 to 256 (default 32)\n"
    "  --vertices N           a hull of at most N vertices in it: simpler, and larger by as much as it takes\n"
    "  --format table|json    (default: table; in JSON each volume stands also as an object of a scene)\n"
    "\n" INPUT_OPTIONS;
